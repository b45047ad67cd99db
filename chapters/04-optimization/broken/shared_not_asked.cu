// Wrong: more than 48 KiB of dynamic shared memory without asking for it first.
// expect: cpu exit 1 /launch: cudaErrorInvalidValue/
// expect: gpu exit 1 /launch: cudaErrorInvalidValue/
#include "../../03-first-gpu-program/check.hpp"

// [broken]
__global__ void fill(int n) {
  extern __shared__ float room[];
  for (int i = threadIdx.x; i < n; i += blockDim.x) room[i] = 0;
}

int main() {
  const int bytes = 64 << 10;
  fill<<<1, 256, bytes>>>(bytes / sizeof(float));
  const cudaError_t code = cudaGetLastError();
  // [/broken]
  std::printf("launch: %s\n", cudaGetErrorName(code));
  return code != cudaSuccess;
}
