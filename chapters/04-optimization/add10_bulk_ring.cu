// Addition, step 10: a ring of stages. While a block adds one tile, copies of its next ones are under way.
// Reads 8 bytes an element and writes 4. Any nx and ny; addresses that are no multiples of 16 take step 4.
#include <algorithm>

#include "bulk.hpp"
#include "coalesce/index.hpp"
#include "coalesce/launch.hpp"
#include "matrix_add.hpp"
#include "resident.hpp"
#include "wide.hpp"

namespace chapter04 {
namespace {

#if defined(__CPU_DEVICE__)
__global__ void add_ring_kernel(const float*, const float*, std::int64_t, float*, bulk_shape) {}
#else
// [kernel]
__global__ void add_ring_kernel(const float* a, const float* b, std::int64_t n, float* c,
                                bulk_shape shape) {
  extern __shared__ __align__(128) float ring[];  // a stage: tile floats of a, then as many of b
  __shared__ bulk::barrier arrived[most_stages];
  const auto [threads, tile, stages, blocks, tiles] = shape;
  const auto bytes = static_cast<unsigned>(tile * sizeof(float));
  const std::int64_t full = n / tile;  // what is left behind them is less than a tile
  const std::int64_t begin = static_cast<std::int64_t>(blockIdx.x) * max(tiles, 1);
  const std::int64_t end = tiles == 0 ? full : min(full, begin + tiles);
  const unsigned step = tiles == 0 ? gridDim.x : 1;

  const auto request = [&](std::int64_t t, int stage) {  // thread 0 only
    if (t >= end) return;
    bulk::announce(&arrived[stage], 2 * bytes);
    bulk::load(ring + 2 * stage * tile, a + t * tile, bytes, &arrived[stage]);
    bulk::load(ring + (2 * stage + 1) * tile, b + t * tile, bytes, &arrived[stage]);
  };

  if (threadIdx.x == 0)
    for (int s = 0; s < stages; ++s) bulk::make(&arrived[s]);
  __syncthreads();
  if (threadIdx.x == 0)
    for (int s = 0; s < stages; ++s) request(begin + s * step, s);

  int stage = 0;
  unsigned phase = 0;
  for (std::int64_t t = begin; t < end; t += step) {
    bulk::wait(&arrived[stage], phase);
    const auto* x = reinterpret_cast<const float4*>(ring + 2 * stage * tile);
    const auto* y = reinterpret_cast<const float4*>(ring + (2 * stage + 1) * tile);
    auto* sums = reinterpret_cast<float4*>(c + t * tile);
    for (unsigned i = threadIdx.x; i < tile / 4; i += threads) sums[i] = sum_of(x[i], y[i]);
    __syncthreads();  // the stage is read, and may be filled again
    if (threadIdx.x == 0) request(t + stages * step, stage);
    if (++stage == stages) stage = 0, ++phase;
  }

  for (std::int64_t i = full * tile + coalesce::global_index_x(); i < n;
       i += coalesce::grid_size_x())
    c[i] = a[i] + b[i];
}
// [/kernel]
#endif

}  // namespace

void bulk_ring(const float* d_a, const float* d_b, std::int64_t nx, std::int64_t ny, float* d_c,
               const bulk_shape& shape, cudaStream_t stream) {
  if (!aligned_for_float4(d_a, d_b, d_c)) return several_a_thread(d_a, d_b, nx, ny, d_c, 4, stream);
  const std::int64_t n = nx * ny;
  const std::size_t shared = 2 * sizeof(float) * shape.tile * shape.stages;
  dim3 grid = coalesce::grid_for(n, shape.tile * std::max(shape.tiles, 1));
  if (shape.tiles == 0)
    grid.x = std::min(grid.x, static_cast<unsigned>(
                                  resident_blocks(reinterpret_cast<const void*>(add_ring_kernel),
                                                  shape.threads, shared, shape.blocks)));
  const auto block = static_cast<unsigned>(shape.threads);
  coalesce::launch(add_ring_kernel, {grid, block, shared, stream}, d_a, d_b, n, d_c, shape);
}

}  // namespace chapter04
