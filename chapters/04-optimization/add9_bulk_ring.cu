// Addition, step 9: a ring of stages. While a block adds one tile, copies of the next ones are under way.
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
constexpr int most_stages = 8;

// [kernel]
__global__ void add_ring_kernel(const float* a, const float* b, std::int64_t n, float* c,
                                bulk_shape shape) {
  extern __shared__ __align__(128) float ring[];  // a stage: tile floats of a, then as many of b
  __shared__ bulk::barrier arrived[most_stages];
  const auto [threads, tile, stages, blocks, tiles, store, evict_first] = shape;
  const bool bulk_store = store == tile_store::bulk;
  const auto bytes = static_cast<unsigned>(tile * sizeof(float));
  const std::int64_t full = n / tile;  // tiles; what is left behind them is less than one
  const std::int64_t begin = static_cast<std::int64_t>(blockIdx.x) * max(tiles, 1);
  const std::int64_t end = tiles == 0 ? full : min(full, begin + tiles);
  const unsigned step = tiles == 0 ? gridDim.x : 1;

  const auto request = [&](std::int64_t t, int stage) {  // thread 0 only
    if (t >= end) return;
    bulk::announce(&arrived[stage], 2 * bytes);
    bulk::load(ring + 2 * stage * tile, a + t * tile, bytes, &arrived[stage], evict_first);
    bulk::load(ring + (2 * stage + 1) * tile, b + t * tile, bytes, &arrived[stage], evict_first);
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
    auto* x = reinterpret_cast<float4*>(ring + 2 * stage * tile);
    const auto* y = reinterpret_cast<const float4*>(ring + (2 * stage + 1) * tile);
    auto* sums = bulk_store ? x : reinterpret_cast<float4*>(c + t * tile);
    for (unsigned i = threadIdx.x; i < tile / 4; i += threads) {
      const float4 sum = sum_of(x[i], y[i]);
      if (store == tile_store::streaming)
        __stcs(sums + i, sum);
      else if (store == tile_store::evict_last)
        bulk::store_evict_last(sums + i, sum);
      else
        sums[i] = sum;
    }
    if (bulk_store) bulk::publish();
    __syncthreads();  // the stage is read, and may be filled again

    if (threadIdx.x == 0 && !bulk_store) request(t + stages * step, stage);
    if (threadIdx.x == 0 && bulk_store) {
      bulk::store(c + t * tile, ring + 2 * stage * tile, bytes);
      bulk::wait_for_stores<1>();  // the one before this has left its stage
      if (t > begin) request(t + (stages - 1) * step, stage == 0 ? stages - 1 : stage - 1);
    }
    stage = stage + 1 == stages ? 0 : stage + 1;
    phase += stage == 0;
  }

  for (std::int64_t i = full * tile + coalesce::global_index_x(); i < n;
       i += coalesce::grid_size_x())
    c[i] = a[i] + b[i];
  bulk::wait_for_stores<0>();
}
// [/kernel]
#endif

}  // namespace

void bulk_ring(const float* d_a, const float* d_b, std::int64_t nx, std::int64_t ny, float* d_c,
               const bulk_shape& shape, cudaStream_t stream) {
  if (!aligned_for_float4(d_a, d_b, d_c)) return several_a_thread(d_a, d_b, nx, ny, d_c, 4, stream);
  const std::int64_t n = nx * ny;
  const std::size_t shared = 2 * sizeof(float) * shape.tile * shape.stages;
  std::int64_t grid =
      coalesce::ceil_div(n, static_cast<std::int64_t>(shape.tile) * std::max(shape.tiles, 1));
  const void* kernel = reinterpret_cast<const void*>(add_ring_kernel);
  if (shape.tiles == 0)
    grid =
        std::min<std::int64_t>(grid, resident_blocks(kernel, shape.threads, shared, shape.blocks));
  coalesce::launch(add_ring_kernel,
                   {.grid = static_cast<unsigned>(grid),
                    .block = static_cast<unsigned>(shape.threads),
                    .dynamic_shared = shared,
                    .stream = stream},
                   d_a, d_b, n, d_c, shape);
}

}  // namespace chapter04
