// Wrong: the kernel was compiled for blocks of 128 threads at most, and is launched with 256.
// expect: cpu exit 1 /cudaError/
// expect: gpu exit 1 /cudaError/
#include <cstdio>

#include "../../03-first-gpu-program/check.hpp"

// [broken]
__global__ void __launch_bounds__(128) count_kernel(int* count) {
  atomicAdd(count, 1);
}
// [/broken]

int main() {
  int* d_count = nullptr;
  CHECK(cudaMalloc(&d_count, sizeof(int)));
  CHECK(cudaMemset(d_count, 0, sizeof(int)));
  // [launch]
  count_kernel<<<1, 256>>>(d_count);
  // [/launch]
  CHECK(cudaGetLastError());
  return 0;
}
