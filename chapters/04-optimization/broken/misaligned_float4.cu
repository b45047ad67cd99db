// Wrong: the address of a float4 must be a multiple of 16, and this one is 4 off.
// expect: cpu exit 86 /misaligned load of 16 bytes.*cudaErrorMisalignedAddress/
// expect: gpu exit 1 /cudaErrorMisalignedAddress/
#include "../../03-first-gpu-program/check.hpp"

// [broken]
__global__ void copy(const float* from, float* to) {
  *reinterpret_cast<float4*>(to) = *reinterpret_cast<const float4*>(from);
}
// [/broken]

int main() {
  float* d_values = nullptr;
  CHECK(cudaMalloc(&d_values, 16 * sizeof(float)));
  CHECK(cudaMemset(d_values, 0, 16 * sizeof(float)));
  copy<<<1, 1>>>(d_values + 1, d_values + 8);  // one element further on
  CHECK(cudaDeviceSynchronize());
  std::printf("no error?\n");
  return 0;
}
