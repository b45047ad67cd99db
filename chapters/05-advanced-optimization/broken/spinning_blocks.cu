// Wrong: a barrier of our own for all blocks, in a grid of one block more than the device holds. Those that
// run wait for one that cannot begin until one of them ends. (Here they give up after a while.)
// expect: cpu exit 1 /a block gave up: \d+ of \d+ blocks had arrived/
// expect: gpu exit 1 /a block gave up: \d+ of \d+ blocks had arrived/
#include "../../03-first-gpu-program/check.hpp"

// [broken]
__global__ void wait_for_all(unsigned* arrived, unsigned* gave_up) {
  if (threadIdx.x == 0) {
    int looks = 0;
    atomicAdd(arrived, 1);
    while (atomicAdd(arrived, 0) < gridDim.x && atomicAdd(gave_up, 0) == 0 && ++looks < 20000)
      __nanosleep(1000);
    if (looks == 20000) atomicCAS(gave_up, 0, atomicAdd(arrived, 0));
  }
  __syncthreads();  // all threads of the block keep their places
}
// [/broken]

int main() {
  int sms = 0, blocks_per_sm = 0;
  unsigned *d_counts = nullptr, counts[2] = {0, 0};
  CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_per_sm, wait_for_all, 1024, 0));
  const int blocks = sms * blocks_per_sm + 1;
  CHECK(cudaMalloc(&d_counts, sizeof counts));
  CHECK(cudaMemset(d_counts, 0, sizeof counts));
  wait_for_all<<<blocks, 1024>>>(d_counts, d_counts + 1);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(counts, d_counts, sizeof counts, cudaMemcpyDeviceToHost));
  if (counts[1] == 0) return std::printf("all %d blocks waited for each other\n", blocks), 0;
  std::printf("a block gave up: %u of %d blocks had arrived\n", counts[1], blocks);
  return 1;
}
