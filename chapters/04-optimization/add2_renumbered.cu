// Addition, step 2: the same blocks, but the kernel numbers its threads along the array.
// Reads 8 bytes an element and writes 4. Any nx and ny; a block's x and y no longer matter.
#include "coalesce/index.hpp"
#include "coalesce/launch.hpp"
#include "matrix_add.hpp"

namespace chapter04 {
namespace {

// [kernel]
__global__ void add_renumbered_kernel(const float* a, const float* b, std::int64_t nx,
                                      std::int64_t ny, float* c) {
  const std::int64_t block = coalesce::widened_index(blockIdx.y, gridDim.x, blockIdx.x);
  const unsigned thread = threadIdx.y * blockDim.x + threadIdx.x;
  const std::int64_t i = block * (blockDim.x * blockDim.y) + thread;
  if (i >= nx * ny) return;

  c[i] = a[i] + b[i];
}
// [/kernel]

}  // namespace

// [launch]
void renumbered(const float* d_a, const float* d_b, std::int64_t nx, std::int64_t ny, float* d_c,
                dim3 block, cudaStream_t stream) {
  coalesce::launch(add_renumbered_kernel,
                   {.grid = coalesce::grid_for(nx, ny, block), .block = block, .stream = stream},
                   d_a, d_b, nx, ny, d_c);
}
// [/launch]

}  // namespace chapter04
