// Wrong: a device function that another .cu file defines. Without relocatable device code the
// device's half of each file must be complete in itself.
// expect: nvcc compile-error /Unresolved extern function/
// expect: cpu compile-error /the device function twice.* is not defined in this file/
#include <cuda_runtime.h>

// [kernel]
__device__ int twice(int value);  // defined in another .cu file

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
