// Addition, step 3: as many blocks as the device holds at once, and each walks along the array.
// Reads 8 bytes an element and writes 4. Any nx and ny; the matrix is taken as one long row.
#include <algorithm>

#include "coalesce/index.hpp"
#include "coalesce/launch.hpp"
#include "matrix_add.hpp"
#include "resident.hpp"

namespace chapter04 {
namespace {

// [kernel]
__global__ void add_resident_kernel(const float* a, const float* b, std::int64_t n, float* c) {
  const std::int64_t first = coalesce::global_index_x();
  const std::int64_t step = coalesce::grid_size_x();

  for (std::int64_t i = first; i < n; i += step) c[i] = a[i] + b[i];
}
// [/kernel]

}  // namespace

// [launch]
void resident_grid(const float* d_a, const float* d_b, std::int64_t nx, std::int64_t ny, float* d_c,
                   int threads, cudaStream_t stream) {
  const std::int64_t n = nx * ny;
  const std::int64_t most =
      resident_blocks(reinterpret_cast<const void*>(add_resident_kernel), threads);
  const auto blocks = static_cast<unsigned>(std::min(most, coalesce::ceil_div(n, threads)));
  coalesce::launch(add_resident_kernel,
                   {.grid = blocks, .block = static_cast<unsigned>(threads), .stream = stream}, d_a,
                   d_b, n, d_c);
}
// [/launch]

}  // namespace chapter04
