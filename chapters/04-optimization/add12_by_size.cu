// Addition, step 12: an early launch of float4 for small matrices, one of bulk copies for large ones.
// Reads 8 bytes an element and writes 4. Any nx and ny; addresses that are no multiples of 16 take step 4.
#include "bulk.hpp"
#include "coalesce/early_launch.hpp"
#include "coalesce/launch.hpp"
#include "matrix_add.hpp"
#include "wide.hpp"

namespace chapter04 {
namespace {

#if defined(__CPU_DEVICE__)
__global__ void add_bulk_early_kernel(const float*, const float*, std::int64_t, float*) {}
#else
// [kernel]
__global__ void add_bulk_early_kernel(const float* a, const float* b, std::int64_t n, float* c) {
  __shared__ __align__(128) float tiles[2 * by_size_tile];
  __shared__ bulk::barrier arrived;
  const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * by_size_tile;
  const unsigned thread = threadIdx.x;
  const bool is_full = first + by_size_tile <= n;
  if (is_full && thread == 0) bulk::make(&arrived);
  coalesce::allow_next_launch();
  coalesce::wait_for_launch_before();

  if (!is_full) {
    for (std::int64_t i = first + thread; i < n; i += blockDim.x) c[i] = a[i] + b[i];
    return;
  }

  if (thread == 0) {
    constexpr unsigned bytes = by_size_tile * sizeof(float);
    bulk::announce(&arrived, 2 * bytes);
    bulk::load(tiles, a + first, bytes, &arrived);
    bulk::load(tiles + by_size_tile, b + first, bytes, &arrived);
  }
  __syncthreads();
  bulk::wait(&arrived, 0);

  if (thread >= by_size_tile / 4) return;  // three quarters of the threads: the rest only make room
  const auto* x = reinterpret_cast<const float4*>(tiles);
  const auto* y = reinterpret_cast<const float4*>(tiles + by_size_tile);
  reinterpret_cast<float4*>(c + first)[thread] = sum_of(x[thread], y[thread]);
}
// [/kernel]
#endif

}  // namespace

// [choice]
void by_size(const float* d_a, const float* d_b, std::int64_t nx, std::int64_t ny, float* d_c,
             cudaStream_t stream) {
  const std::int64_t n = nx * ny;
  if (n < by_size_large || !aligned_for_float4(d_a, d_b, d_c))
    return early_launch(d_a, d_b, nx, ny, d_c, 256, stream);
  coalesce::launch_early(add_bulk_early_kernel, coalesce::grid_for(n, by_size_tile), 256, stream,
                         d_a, d_b, n, d_c);
}
// [/choice]

}  // namespace chapter04
