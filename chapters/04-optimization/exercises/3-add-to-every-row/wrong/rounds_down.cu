// Wrong: the grid is rounded down, so the last columns and rows have no threads.
#include "coalesce/index.hpp"
#include "coalesce/launch.hpp"
#include "exercise.hpp"

__global__ void add_to_every_row_kernel(const float* a, const float* v, std::int64_t nx,
                                        std::int64_t ny, float* c) {
  const std::int64_t col = coalesce::global_index_x();
  const std::int64_t row = coalesce::global_index_y();
  if (col < nx && row < ny) c[row * nx + col] = a[row * nx + col] + v[col];
}

void add_to_every_row(const float* d_a, const float* d_v, std::int64_t nx, std::int64_t ny,
                      float* d_c, cudaStream_t stream) {
  const dim3 block(64, 4);
  coalesce::launch(add_to_every_row_kernel,
                   {.grid = dim3(static_cast<unsigned>(nx / 64), static_cast<unsigned>(ny / 4)),
                    .block = block,
                    .stream = stream},
                   d_a, d_v, nx, ny, d_c);
}
