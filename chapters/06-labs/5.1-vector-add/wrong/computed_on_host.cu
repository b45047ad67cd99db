// Wrong: a loop of the host makes the sums.
// in place of: vector_add.cu
// reject on the CPU device: work computed_on_host
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
  coalesce::device_buffer<float> d_a(n), d_b(n), d_c(n);  // freed on every way out
  COALESCE_CHECK(cudaMemcpy(d_a.data(), a, bytes, cudaMemcpyHostToDevice));
  COALESCE_CHECK(cudaMemcpy(d_b.data(), b, bytes, cudaMemcpyHostToDevice));
  for (std::int64_t i = 0; i < n; ++i) c[i] = a[i] + b[i];
}

}  // namespace lab51
