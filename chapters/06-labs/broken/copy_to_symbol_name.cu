// Wrong: cudaMemcpy to the name of a constant. In host code the name is the runtime's handle for the
// variable, in the host's memory; cudaGetSymbolAddress knows the address on the device.
// expect: cpu exit 86 /target is host memory.*copy_to_symbol_name\.cu:18/
// expect: gpu exit 1 /cudaErrorInvalidValue/
#include <cuda_runtime.h>

#include <cstdio>

// [broken]
__constant__ float weights[4];

int main() {
  const float values[4] = {1, 2, 3, 4};
  void* on_device = nullptr;
  cudaGetSymbolAddress(&on_device, weights);
  std::printf("the name is %sthe address\n", on_device == weights ? "" : "not ");

  const cudaError_t error = cudaMemcpy(weights, values, sizeof values, cudaMemcpyHostToDevice);
  std::printf("cudaMemcpy to the name: %s\n", cudaGetErrorName(error));
  cudaMemcpy(on_device, values, sizeof values, cudaMemcpyHostToDevice);  // this would do
  return error == cudaSuccess ? 0 : 1;
}
// [/broken]
