// Wrong: Tiles are brought, but the factors are read from global memory.
// in place of: product_tiles.cu
// reject on the CPU device: tiles not_shared
#include "coalesce/launch.hpp"
#include "lab.hpp"

namespace lab52 {

inline constexpr int side = 16;

// [kernel]
__global__ void tiles_kernel(const float* a, const float* b, float* c, shape s) {
  // [answer]
  __shared__ float of_a[side][side], of_b[side][side];
  const unsigned x = threadIdx.x, y = threadIdx.y;
  const std::int64_t row = std::int64_t{blockIdx.y} * side + y;
  const std::int64_t col = std::int64_t{blockIdx.x} * side + x;

  float sum = 0;
  for (std::int64_t first = 0; first < s.n; first += side) {
    of_a[y][x] = row < s.m && first + x < s.n ? a[row * s.lda + first + x] : 0;
    of_b[y][x] = first + y < s.n && col < s.p ? b[(first + y) * s.ldb + col] : 0;
    __syncthreads();  // both tiles are complete
    for (int k = 0; row < s.m && col < s.p && k < side && first + k < s.n; ++k)
      sum += a[row * s.lda + first + k] * b[(first + k) * s.ldb + col];
    __syncthreads();  // nobody needs them any more
  }
  if (row < s.m && col < s.p) c[row * s.ldc + col] = sum;
  // [/answer]
}
// [/kernel]

// [launch]
void product_tiles(const float* d_a, const float* d_b, float* d_c, const shape& s, int,
                   cudaStream_t stream) {
  // [answer]
  const dim3 block(side, side);
  coalesce::launch(tiles_kernel,
                   {.grid = coalesce::grid_for(s.p, s.m, block), .block = block, .stream = stream},
                   d_a, d_b, d_c, s);
  // [/answer]
}
// [/launch]

}  // namespace lab52
