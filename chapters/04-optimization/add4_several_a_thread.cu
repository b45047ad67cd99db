// Addition, step 4: several elements a thread, all of them asked for before the first is used.
// Reads 8 bytes an element and writes 4. Any nx and ny; the matrix is taken as one long row.
#include "coalesce/index.hpp"
#include "coalesce/launch.hpp"
#include "matrix_add.hpp"

namespace chapter04 {
namespace {

constexpr int threads = 256;

// [kernel]
template <int count>
__global__ void add_several_kernel(const float* a, const float* b, std::int64_t n, float* c) {
  const std::int64_t first = coalesce::widened_index(blockIdx.x, threads * count, threadIdx.x);
  float x[count], y[count];

#pragma unroll
  for (int k = 0; k < count; ++k) {
    const std::int64_t i = first + k * threads;
    x[k] = i < n ? a[i] : 0;
    y[k] = i < n ? b[i] : 0;
  }

#pragma unroll
  for (int k = 0; k < count; ++k) {
    const std::int64_t i = first + k * threads;
    if (i < n) c[i] = x[k] + y[k];
  }
}
// [/kernel]

}  // namespace

// [launch]
void several_a_thread(const float* d_a, const float* d_b, std::int64_t nx, std::int64_t ny,
                      float* d_c, int elements, cudaStream_t stream) {
  const auto kernel = elements == 2   ? add_several_kernel<2>
                      : elements == 4 ? add_several_kernel<4>
                                      : add_several_kernel<8>;
  const std::int64_t n = nx * ny;
  coalesce::launch(
      kernel,
      {.grid = coalesce::grid_for(n, threads * elements), .block = threads, .stream = stream}, d_a,
      d_b, n, d_c);
}
// [/launch]

}  // namespace chapter04
