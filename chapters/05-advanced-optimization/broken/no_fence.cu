// Wrong: no fence between a block's sum and its ticket, nor behind the last ticket. Here every block has
// looked at the sums before, so its L1 cache holds old ones, and without a fence it may go on using them.
// expect: cpu exit 86 /race: load of 4 bytes of global memory/
// expect: gpu exit 1 /sums of 264 blocks: right in \d+ of 1000 launches/
#include "../../03-first-gpu-program/check.hpp"

// [broken]
__global__ void add_up(int value, int* partial, unsigned* ticket, unsigned* right, int* before) {
  const unsigned me = blockIdx.x;
  int seen = 0;
  for (unsigned b = 0; b < gridDim.x; ++b) seen += partial[b];  // the last launch's sums
  before[me] = seen;

  partial[me] = value;
  if (atomicAdd(ticket, 1) != gridDim.x - 1) return;

  int sum = 0;
  for (unsigned b = 0; b < gridDim.x; ++b) sum += partial[b];  // this launch's sums?
  if (sum == value * static_cast<int>(gridDim.x)) atomicAdd(right, 1);
  *ticket = 0;
}
// [/broken]

int main() {
  const unsigned blocks = 264, launches = 1000;
  int* d_values = nullptr;
  unsigned *d_counts = nullptr, right = 0;
  CHECK(cudaMalloc(&d_values, 2 * blocks * sizeof(int)));
  CHECK(cudaMalloc(&d_counts, 2 * sizeof right));
  CHECK(cudaMemset(d_values, 0, 2 * blocks * sizeof(int)));
  CHECK(cudaMemset(d_counts, 0, 2 * sizeof right));
  for (unsigned l = 1; l <= launches; ++l)
    add_up<<<blocks, 1>>>(static_cast<int>(l), d_values, d_counts, d_counts + 1, d_values + blocks);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(&right, d_counts + 1, sizeof right, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(d_values));
  CHECK(cudaFree(d_counts));
  std::printf("sums of %u blocks: right in %u of %u launches\n", blocks, right, launches);
  return right == launches ? 0 : 1;
}
