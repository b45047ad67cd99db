// Wrong: the matrices are copied to the host, and added there.
// in place of: shape_add.cu
// reject on the CPU device: work computed_on_host
#include <algorithm>
#include <vector>

#include "coalesce/launch.hpp"
#include "lab.hpp"

namespace lab53 {
namespace {
__global__ void add_kernel(const float* a, const float* b, std::int64_t rows, std::int64_t cols,
                           float* c) {
  const std::int64_t col = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (col >= cols) return;

  std::int64_t row = std::int64_t{blockIdx.y} * blockDim.y + threadIdx.y;
  for (; row < rows; row += std::int64_t{gridDim.y} * blockDim.y) {
    const std::int64_t i = row * cols + col;
    c[i] = a[i] + b[i];
  }
}

}  // namespace
void add_in_blocks(const float* d_a, const float* d_b, std::int64_t rows, std::int64_t cols,
                   float* d_c, dim3 block, cudaStream_t stream) {
  const std::int64_t most = coalesce::current_launch_limits().grid_y;
  const std::int64_t down = std::min(coalesce::ceil_div(rows, block.y), most);
  const dim3 grid(static_cast<unsigned>(coalesce::ceil_div(cols, block.x)),
                  static_cast<unsigned>(down));
  coalesce::launch(add_kernel, {.grid = grid, .block = block, .stream = stream}, d_a, d_b,
                   std::int64_t{0}, cols, d_c);
  std::vector<float> a(static_cast<std::size_t>(rows * cols)), b(a.size());
  const std::size_t bytes = a.size() * sizeof(float);
  COALESCE_CHECK(cudaMemcpy(a.data(), d_a, bytes, cudaMemcpyDeviceToHost));
  COALESCE_CHECK(cudaMemcpy(b.data(), d_b, bytes, cudaMemcpyDeviceToHost));
  for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
  COALESCE_CHECK(cudaMemcpy(d_c, a.data(), bytes, cudaMemcpyHostToDevice));
}

}  // namespace lab53
