// Product 2, tiled: a block of 16 x 16 threads brings a tile of a and a tile of b into shared memory, and
// every value is used 16 times there. For the roofline: 4 operations for every byte from global memory.
// Square matrices, row after row. Any n.
#include "coalesce/launch.hpp"
#include "steps.hpp"

namespace chapter05 {
namespace {

constexpr int side = 16;

// [kernel]
__global__ void product_tiled_kernel(const float* a, const float* b, int n, float* c) {
  const int row = blockIdx.y * side + threadIdx.y, col = blockIdx.x * side + threadIdx.x;
  __shared__ float of_a[side][side], of_b[side][side];

  float sum = 0;
  for (int first = 0; first < n; first += side) {
    const int a_col = first + threadIdx.x, b_row = first + threadIdx.y;
    of_a[threadIdx.y][threadIdx.x] = row < n && a_col < n ? a[std::int64_t{row} * n + a_col] : 0;
    of_b[threadIdx.y][threadIdx.x] = b_row < n && col < n ? b[std::int64_t{b_row} * n + col] : 0;
    __syncthreads();
    for (int k = 0; k < side; ++k) sum = __fmaf_rn(of_a[threadIdx.y][k], of_b[k][threadIdx.x], sum);
    __syncthreads();
  }
  if (row < n && col < n) c[std::int64_t{row} * n + col] = sum;
}
// [/kernel]

}  // namespace

// [launch]
void product_tiled(const float* d_ab, std::int64_t n, float* d_c, cudaStream_t stream) {
  const dim3 block(side, side);
  coalesce::launch(product_tiled_kernel,
                   {.grid = coalesce::grid_for(n, n, block), .block = block, .stream = stream},
                   d_ab, d_ab + n * n, static_cast<int>(n), d_c);
}
// [/launch]

}  // namespace chapter05
