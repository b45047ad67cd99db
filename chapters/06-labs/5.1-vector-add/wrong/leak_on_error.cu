// Wrong: what has been allocated is lost when a later call fails.
// in place of: vector_add.cu
// reject on the CPU device: errors leak
#include "coalesce/device_buffer.hpp"
#include "coalesce/error.hpp"
#include "coalesce/launch.hpp"
#include "lab.hpp"

namespace lab51 {
namespace {
__global__ void add_kernel(const float* a, const float* b, std::int64_t first, std::int64_t count,
                           float* c) {
  const std::int64_t k = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (k >= count) return;

  const std::int64_t i = first + k;
  c[i] = a[i] + b[i];
}

}  // namespace
void add_slice(const float* d_a, const float* d_b, std::int64_t first, std::int64_t count,
               float* d_c, cudaStream_t stream) {
  if (count == 0) return;
  const unsigned block = 256;
  const auto grid = static_cast<unsigned>(coalesce::ceil_div(count, block));
  add_kernel<<<grid, block, 0, stream>>>(d_a, d_b, first, count, d_c);
  COALESCE_CHECK(cudaGetLastError());
}
void vector_add(const float* a, const float* b, std::int64_t n, float* c) {
  const std::size_t bytes = static_cast<std::size_t>(n) * sizeof(float);
  float *d_a = nullptr, *d_b = nullptr, *d_c = nullptr;
  COALESCE_CHECK(cudaMalloc(&d_a, bytes));
  COALESCE_CHECK(cudaMalloc(&d_b, bytes));
  COALESCE_CHECK(cudaMalloc(&d_c, bytes));
  COALESCE_CHECK(cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice));
  COALESCE_CHECK(cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice));
  add_slice(d_a, d_b, 0, n, d_c, nullptr);
  COALESCE_CHECK(cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost));
  COALESCE_CHECK(cudaFree(d_a));
  COALESCE_CHECK(cudaFree(d_b));
  COALESCE_CHECK(cudaFree(d_c));
}

}  // namespace lab51
