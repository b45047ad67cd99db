// Adds a vector to every row: two dimensions, so that no thread has to divide to find its column.
#include "coalesce/index.hpp"
#include "coalesce/launch.hpp"
#include "exercise.hpp"

// [kernel]
__global__ void add_to_every_row_kernel(const float* a, const float* v, std::int64_t nx,
                                        std::int64_t ny, float* c) {
  // [answer]
  const std::int64_t col = coalesce::global_index_x();
  const std::int64_t row = coalesce::global_index_y();
  if (col < nx && row < ny) c[row * nx + col] = a[row * nx + col] + v[col];
  // [/answer]
}
// [/kernel]

void add_to_every_row(const float* d_a, const float* d_v, std::int64_t nx, std::int64_t ny,
                      float* d_c, cudaStream_t stream) {
  const dim3 block(64, 4);
  coalesce::launch(add_to_every_row_kernel,
                   {.grid = coalesce::grid_for(nx, ny, block), .block = block, .stream = stream},
                   d_a, d_v, nx, ny, d_c);
}
