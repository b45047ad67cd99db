// Wrong: buffers stay; where there is no room for larger ones, the old answer is handed out.
// in place of: vector_add.cu
// reject: errors error_swallowed
#include <algorithm>

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
  static coalesce::device_buffer<float> d_a, d_b, d_c;
  try {
    if (d_c.size() < n) {
      coalesce::device_buffer<float> more_a(n), more_b(n), more_c(n);
      std::swap(d_a, more_a);
      std::swap(d_b, more_b);
      std::swap(d_c, more_c);
    }
    const std::size_t bytes = static_cast<std::size_t>(n) * sizeof(float);
    COALESCE_CHECK(cudaMemcpy(d_a.data(), a, bytes, cudaMemcpyHostToDevice));
    COALESCE_CHECK(cudaMemcpy(d_b.data(), b, bytes, cudaMemcpyHostToDevice));
    add_slice(d_a.data(), d_b.data(), 0, n, d_c.data(), nullptr);
  } catch (const coalesce::cuda_error&) {
    cudaGetLastError();
  }
  const std::int64_t there = std::min(n, d_c.size());
  COALESCE_CHECK(cudaMemcpy(c, d_c.data(), static_cast<std::size_t>(there) * sizeof(float),
                            cudaMemcpyDeviceToHost));
}

}  // namespace lab51
