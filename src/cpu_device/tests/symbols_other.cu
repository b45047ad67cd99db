// Another file with a variable and a kernel named as in symbols.cu: each file has its own.
#include <cuda_runtime.h>

static __device__ int internal = 40;
namespace {
__global__ void use(int* out) {
  *out = ++internal;
}
}  // namespace

int other_file() {
  int *p, result = 0;
  cudaMalloc(&p, sizeof *p);
  use<<<1, 1>>>(p);
  cudaMemcpy(&result, p, sizeof result, cudaMemcpyDeviceToHost);
  cudaFree(p);
  return result;
}
