// Addition, step 11: step 5, but its launch may begin before the launch in front of it has ended.
// Reads 8 bytes an element and writes 4. Any nx and ny; addresses that are no multiples of 16 take step 4.
#include "coalesce/early_launch.hpp"
#include "coalesce/index.hpp"
#include "coalesce/launch.hpp"
#include "matrix_add.hpp"
#include "wide.hpp"

namespace chapter04 {
namespace {

// [kernel]
__global__ void add_early_kernel(const float* a, const float* b, std::int64_t n, float* c) {
  const std::int64_t i = 4 * coalesce::global_index_x();
  coalesce::allow_next_launch();
  coalesce::wait_for_launch_before();

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
void early_launch(const float* d_a, const float* d_b, std::int64_t nx, std::int64_t ny, float* d_c,
                  int threads, cudaStream_t stream) {
  if (!aligned_for_float4(d_a, d_b, d_c)) return several_a_thread(d_a, d_b, nx, ny, d_c, 4, stream);
  const std::int64_t n = nx * ny;
  coalesce::launch_early(add_early_kernel, coalesce::grid_for(coalesce::ceil_div(n, 4), threads),
                         threads, stream, d_a, d_b, n, d_c);
}
// [/launch]

}  // namespace chapter04
