// Wrong: the first kernel writes through a null pointer. The calls after it are right, and fail all the same:
// the error has spoilt the process's context, and only a new process helps.
// expect: cpu exit 86 /launch: cudaSuccess.*sticky_error\.cu:12.*synchronise: cudaErrorIllegalAddress.*afterwards: cudaErrorIllegalAddress/
// expect: gpu exit 1 /launch: cudaSuccess.*synchronise: cudaErrorIllegalAddress.*cudaErrorIllegalAddress/
// expect: sanitizer exit 86 /Invalid __global__ write of size 4 bytes/
#include <initializer_list>

#include "../check.hpp"

// [broken]
__global__ void store(int* out) {
  *out = 1;
}

int main() {
  int* d_out = nullptr;  // nobody allocates it
  store<<<1, 1>>>(d_out);
  std::printf("launch: %s\n", cudaGetErrorName(cudaGetLastError()));
  std::printf("synchronise: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));

  const cudaError_t later = cudaMalloc(&d_out, sizeof(int));  // nothing is wrong with this call
  std::printf("a good call afterwards: %s\n", cudaGetErrorName(later));
  return later == cudaSuccess ? 0 : 1;
}
// [/broken]
