// Wrong: 1024 threads of a kernel that needs more registers than 1024 threads can have.
// expect: gpu exit 1 /\d+ registers.*cudaErrorLaunchOutOfResources/
// expect: cpu not-run: it has no registers to run out of
#include "../../03-first-gpu-program/check.hpp"

// [broken]
__global__ void mix(const float* in, float* out) {
  float x[128];
#pragma unroll
  for (int i = 0; i < 128; ++i) x[i] = in[i * 1024 + threadIdx.x];
#pragma unroll
  for (int i = 0; i < 128; ++i) x[i] = x[i] * x[(i + 67) % 128] + x[(i + 31) % 128];
#pragma unroll
  for (int i = 0; i < 128; ++i) out[i * 1024 + threadIdx.x] = x[i];
}
// [/broken]

int main() {
  float* d_values = nullptr;
  CHECK(cudaMalloc(&d_values, 128 * 1024 * sizeof(float)));
  cudaFuncAttributes facts{};
  CHECK(cudaFuncGetAttributes(&facts, mix));
  std::printf("%d registers, at most %d threads\n", facts.numRegs, facts.maxThreadsPerBlock);
  mix<<<1, 1024>>>(d_values, d_values);
  CHECK(cudaGetLastError());
  return 0;
}
