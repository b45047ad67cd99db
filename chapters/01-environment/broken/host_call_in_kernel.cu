// Wrong: a kernel calls an ordinary function. That function was compiled for the host only.
// expect: nvcc compile-error /calling a __host__ function.* from a __global__ function/
// expect: cpu compile-error /call to __host__ function from __global__ function/
#include <cuda_runtime.h>

// [kernel]
int twice(int value) {
  return 2 * value;
}

__global__ void twice_kernel(int* values) {
  values[threadIdx.x] = twice(values[threadIdx.x]);
}
// [/kernel]

int main() {
  int* d_values = nullptr;
  if (cudaMalloc(&d_values, 32 * sizeof(int)) != cudaSuccess) return 2;
  twice_kernel<<<1, 32>>>(d_values);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
