// Wrong: fields of cudaDeviceProp that CUDA 13 took away. cudaDeviceGetAttribute has the same facts in all versions.
// expect: nvcc compile-error /has no member "memoryClockRate"|CUDA 12 still has these fields/
// expect: cpu not-run: its header keeps the fields, for programs written for CUDA 12
#include <cuda_runtime.h>

#include <cstdio>
#if CUDART_VERSION < 13000
#error "CUDA 12 still has these fields"
#endif

int main() {
  // [broken]
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  std::printf("memory clock: %d kHz\n", properties.memoryClockRate);
  std::printf("watchdog: %d\n", properties.kernelExecTimeoutEnabled);
  // [/broken]
  return 0;
}
