// Wrong: prefetching managed memory as up to CUDA 12. CUDA 13 wants a place, cudaMemLocation, not a number.
// expect: nvcc compile-error /no suitable constructor .*"cudaMemLocation"|CUDA 12 still takes a number/
// expect: cpu not-run: its header takes both forms
#include <cuda_runtime.h>
#if CUDART_VERSION < 13000
#error "CUDA 12 still takes a number"
#endif

int main() {
  // [broken]
  int* values = nullptr;
  cudaMallocManaged(&values, 1 << 20);
  cudaMemPrefetchAsync(values, 1 << 20, 0, nullptr);
  // [/broken]
  return 0;
}
