// Wrong: the kernel is launched in the default stream.
// in place of: shape_add.cu
// reject on the CPU device: stream race
#include <algorithm>

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
  coalesce::launch(add_kernel, {.grid = grid, .block = block}, d_a, d_b, rows, cols, d_c);
}

}  // namespace lab53
