// Lab 5.1: allocate, copy, launch, check, copy back.
#include "coalesce/device_buffer.hpp"
#include "coalesce/error.hpp"
#include "lab.hpp"

namespace lab51 {

// [kernel]
__global__ void add_kernel(const float* a, const float* b, std::int64_t n, float* c) {
  // [answer]
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
  // [/answer]
}
// [/kernel]

void vector_add(const float* a, const float* b, std::int64_t n, float* c) {
  // [answer]
  if (n == 0) return;
  const std::size_t bytes = static_cast<std::size_t>(n) * sizeof(float);
  coalesce::device_buffer<float> d_a(n), d_b(n), d_c(n);
  COALESCE_CHECK(cudaMemcpy(d_a.data(), a, bytes, cudaMemcpyHostToDevice));
  COALESCE_CHECK(cudaMemcpy(d_b.data(), b, bytes, cudaMemcpyHostToDevice));
  const unsigned block = 256;
  add_kernel<<<static_cast<unsigned>((n + block - 1) / block), block>>>(d_a.data(), d_b.data(), n,
                                                                        d_c.data());
  COALESCE_CHECK(cudaGetLastError());
  COALESCE_CHECK(cudaMemcpy(c, d_c.data(), bytes, cudaMemcpyDeviceToHost));
  // [/answer]
}

}  // namespace lab51
