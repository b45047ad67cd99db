// Wrong: nobody puts the ticket back to 0. The first launch is right. In the second one no block holds the
// last ticket, so nobody adds up, and the old answer stays.
// expect: cpu exit 86 /launch 1: sum 36, which is right.*stale ticket.*launch 2: sum -1, which is wrong/
// expect: gpu exit 1 /launch 1: sum 36, which is right.*launch 2: sum -1, which is wrong/
#include "../../03-first-gpu-program/check.hpp"

// [broken]
__global__ void sum_kernel(const int* values, int* partial, unsigned* ticket, int* sum) {
  partial[blockIdx.x] = values[blockIdx.x];
  __threadfence();
  if (atomicAdd(ticket, 1) != gridDim.x - 1) return;

  __threadfence();
  int total = 0;
  for (unsigned b = 0; b < gridDim.x; ++b) total += partial[b];
  *sum = total;
}
// [/broken]

int main() {
  const int values[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  int *d_values = nullptr, *d_partial = nullptr, *d_sum = nullptr, sum = 0;
  unsigned* d_ticket = nullptr;
  CHECK(cudaMalloc(&d_values, sizeof values));
  CHECK(cudaMalloc(&d_partial, sizeof values));
  CHECK(cudaMalloc(&d_sum, sizeof sum));
  CHECK(cudaMalloc(&d_ticket, sizeof *d_ticket));
  CHECK(cudaMemcpy(d_values, values, sizeof values, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(d_ticket, 0, sizeof *d_ticket));
  for (int launch = 1; launch <= 2; ++launch) {
    CHECK(cudaMemset(d_sum, 0xff, sizeof sum));  // -1: what an element holds that nobody writes
    sum_kernel<<<8, 1>>>(d_values, d_partial, d_ticket, d_sum);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost));
    std::printf("launch %d: sum %d, which is %s\n", launch, sum, sum == 36 ? "right" : "wrong");
  }
  return sum == 36 ? 0 : 1;
}
