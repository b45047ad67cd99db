// which_code.cu: which code of this program does the device run, and how long does loading it take?
// A complete program. Build it with different -gencode flags and compare.
#include <cuda_runtime.h>

#include <chrono>
#include <cstdio>

// [kernel]
__global__ void count_kernel(int* count) {
  atomicAdd(count, 1);
}
// [/kernel]

// [main]
int main() {
  if (cudaFree(nullptr) != cudaSuccess) {  // makes the context, so that it is not timed below
    std::printf("no usable device: %s\n", cudaGetErrorString(cudaGetLastError()));
    return 1;
  }
  const auto before = std::chrono::steady_clock::now();
  cudaFuncAttributes kernel{};
  const cudaError_t answer = cudaFuncGetAttributes(&kernel, count_kernel);  // loads the kernel
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - before;

  if (answer != cudaSuccess) {
    std::printf("%s (%d): %s\n", cudaGetErrorName(answer), int{answer}, cudaGetErrorString(answer));
    return 1;
  }
  std::printf("machine code for %d.%d, made from PTX %d.%d, loaded in %.2f ms\n",
              kernel.binaryVersion / 10, kernel.binaryVersion % 10, kernel.ptxVersion / 10,
              kernel.ptxVersion % 10, took.count());
  return 0;
}
// [/main]
