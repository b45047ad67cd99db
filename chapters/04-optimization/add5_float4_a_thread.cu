// Addition, step 5: four neighbouring elements a thread, in one load of 16 bytes from each matrix.
// Reads 8 bytes an element and writes 4. Any nx and ny; addresses that are no multiples of 16 take step 4.
#include "coalesce/index.hpp"
#include "coalesce/launch.hpp"
#include "matrix_add.hpp"
#include "wide.hpp"

namespace chapter04 {
namespace {

// [kernel]
__global__ void add_float4_kernel(const float* a, const float* b, std::int64_t n, float* c) {
  const std::int64_t i = 4 * coalesce::global_index_x();

  if (i + 4 <= n) {
    const float4 x = *reinterpret_cast<const float4*>(a + i);
    const float4 y = *reinterpret_cast<const float4*>(b + i);
    *reinterpret_cast<float4*>(c + i) = sum_of(x, y);
  } else {
    for (std::int64_t k = i; k < n; ++k) c[k] = a[k] + b[k];  // the last 1 to 3 elements
  }
}
// [/kernel]

}  // namespace

// [launch]
void float4_a_thread(const float* d_a, const float* d_b, std::int64_t nx, std::int64_t ny,
                     float* d_c, int threads, cudaStream_t stream) {
  if (!aligned_for_float4(d_a, d_b, d_c)) return several_a_thread(d_a, d_b, nx, ny, d_c, 4, stream);
  const std::int64_t n = nx * ny;
  coalesce::launch(add_float4_kernel,
                   {.grid = coalesce::grid_for(coalesce::ceil_div(n, 4), threads),
                    .block = static_cast<unsigned>(threads),
                    .stream = stream},
                   d_a, d_b, n, d_c);
}
// [/launch]

}  // namespace chapter04
