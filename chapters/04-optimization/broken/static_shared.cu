// Wrong: 49 KiB of shared memory of fixed size. The compiler refuses what is over 48, on every GPU.
// expect: nvcc compile-error /uses too much shared data/
// expect: cpu not-run: its compiler takes any size
#include "../../03-first-gpu-program/check.hpp"

// [broken]
__global__ void reverse(float* values) {
  __shared__ float room[49 * 256];
  room[threadIdx.x] = values[threadIdx.x];
  __syncthreads();
  values[threadIdx.x] = room[blockDim.x - 1 - threadIdx.x];
}
// [/broken]

int main() {
  reverse<<<1, 256>>>(nullptr);
  return 0;
}
