// Product 1, plain: one thread an element of c, and every factor from global memory. For the roofline: the
// least traffic is 12 bytes an element of c, the work is 2 n operations.
// Square matrices, row after row. Any n.
#include "coalesce/launch.hpp"
#include "steps.hpp"

namespace chapter05 {
namespace {

constexpr int side = 16;

// [kernel]
__global__ void product_plain_kernel(const float* a, const float* b, int n, float* c) {
  const int row = blockIdx.y * side + threadIdx.y, col = blockIdx.x * side + threadIdx.x;
  if (row >= n || col >= n) return;

  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum = __fmaf_rn(a[std::int64_t{row} * n + k], b[std::int64_t{k} * n + col], sum);
  c[std::int64_t{row} * n + col] = sum;
}
// [/kernel]

}  // namespace

// [launch]
void product_plain(const float* d_ab, std::int64_t n, float* d_c, cudaStream_t stream) {
  const dim3 block(side, side);
  coalesce::launch(product_plain_kernel,
                   {.grid = coalesce::grid_for(n, n, block), .block = block, .stream = stream},
                   d_ab, d_ab + n * n, static_cast<int>(n), d_c);
}
// [/launch]

}  // namespace chapter05
