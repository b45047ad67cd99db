// Addition, step 1: one thread an element, x along the columns, in blocks of any shape.
// Reads 8 bytes an element and writes 4. Any nx and ny, multiples of the block or not.
#include "coalesce/index.hpp"
#include "coalesce/launch.hpp"
#include "matrix_add.hpp"

namespace chapter04 {
namespace {

// [kernel]
__global__ void add_kernel(const float* a, const float* b, std::int64_t nx, std::int64_t ny,
                           float* c) {
  const std::int64_t col = coalesce::widened_index(blockIdx.x, blockDim.x, threadIdx.x);
  const std::int64_t row = coalesce::widened_index(blockIdx.y, blockDim.y, threadIdx.y);
  if (col >= nx || row >= ny) return;

  const std::int64_t i = row * nx + col;
  c[i] = a[i] + b[i];
}
// [/kernel]

}  // namespace

// [launch]
void one_element_a_thread(const float* d_a, const float* d_b, std::int64_t nx, std::int64_t ny,
                          float* d_c, dim3 block, cudaStream_t stream) {
  coalesce::launch(add_kernel,
                   {.grid = coalesce::grid_for(nx, ny, block), .block = block, .stream = stream},
                   d_a, d_b, nx, ny, d_c);
}
// [/launch]

}  // namespace chapter04
