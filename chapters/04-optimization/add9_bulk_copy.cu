// Addition, step 9: bulk copies bring a tile of A and one of B to the block, and keep no thread busy.
// Reads 8 bytes an element and writes 4. Any nx and ny; addresses that are no multiples of 16 take step 4.
#include "bulk.hpp"
#include "coalesce/launch.hpp"
#include "matrix_add.hpp"
#include "wide.hpp"

namespace chapter04 {
namespace {

#if defined(__CPU_DEVICE__)
__global__ void add_bulk_kernel(const float*, const float*, std::int64_t, float*, int) {}
#else
// [kernel]
__global__ void add_bulk_kernel(const float* a, const float* b, std::int64_t n, float* c,
                                int tile) {
  extern __shared__ __align__(128) float tiles[];  // tile floats of a, then as many of b
  __shared__ bulk::barrier arrived;
  const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * tile;

  if (first + tile > n) {  // the last tile is not full
    for (std::int64_t i = first + threadIdx.x; i < n; i += blockDim.x) c[i] = a[i] + b[i];
    return;
  }

  if (threadIdx.x == 0) {
    const auto bytes = static_cast<unsigned>(tile * sizeof(float));
    bulk::make(&arrived);
    bulk::announce(&arrived, 2 * bytes);
    bulk::load(tiles, a + first, bytes, &arrived);
    bulk::load(tiles + tile, b + first, bytes, &arrived);
  }
  __syncthreads();  // the barrier is made
  bulk::wait(&arrived, 0);

  const auto* x = reinterpret_cast<const float4*>(tiles);
  const auto* y = reinterpret_cast<const float4*>(tiles + tile);
  auto* sums = reinterpret_cast<float4*>(c + first);
  for (unsigned i = threadIdx.x; i < tile / 4; i += blockDim.x) sums[i] = sum_of(x[i], y[i]);
}
// [/kernel]
#endif

}  // namespace

// [launch]
void bulk_copy(const float* d_a, const float* d_b, std::int64_t nx, std::int64_t ny, float* d_c,
               const bulk_shape& shape, cudaStream_t stream) {
  if (!aligned_for_float4(d_a, d_b, d_c)) return several_a_thread(d_a, d_b, nx, ny, d_c, 4, stream);
  const std::int64_t n = nx * ny;
  coalesce::launch(add_bulk_kernel,
                   {.grid = coalesce::grid_for(n, shape.tile),
                    .block = static_cast<unsigned>(shape.threads),
                    .dynamic_shared = 2 * shape.tile * sizeof(float),
                    .stream = stream},
                   d_a, d_b, n, d_c, shape.tile);
}
// [/launch]

}  // namespace chapter04
