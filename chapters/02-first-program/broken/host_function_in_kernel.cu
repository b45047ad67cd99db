// Wrong: a kernel calls an ordinary function. Without __device__ it was compiled for the host only.
// expect: nvcc compile-error /calling a __host__ function\("scaled\(int\)"\) from a __global__ function/
// expect: cpu compile-error /call to __host__ function from __global__ function/
#include <cstdio>

// [broken]
int scaled(int value) {
  return 3 * value + 1;
}  // __host__ __device__ was meant before this

__global__ void scale_kernel(int* value) {
  *value = scaled(*value);
}
// [/broken]

int main() {
  scale_kernel<<<1, 1>>>(nullptr);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
