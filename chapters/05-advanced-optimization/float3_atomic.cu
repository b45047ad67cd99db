// Float 3, atomic: the shape of the integer ladder in float. Every block adds its part into the sum, in
// whatever order the blocks end: fast, and not the same bits from run to run.
// Reads 4 bytes an element. Any n, any alignment of float.
#include "float_tree.hpp"
#include "steps.hpp"

namespace chapter05 {
namespace {

constexpr int threads = float_threads, loads = float_loads;

// [kernel]
template <bool Vectors>
__global__ void __launch_bounds__(threads)
    float_atomic_kernel(const float* values, std::int64_t n, float* result) {
  const std::int64_t tiles = coalesce::ceil_div(n, tile_floats(threads, loads));
  float sum = 0;

  for (std::int64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    float4 vectors[loads];
    load_tile<threads, loads, Vectors>(values, n, tile, vectors);
    for (const float4 v : vectors)
      for (const float x : {v.x, v.y, v.z, v.w}) sum = __fmaf_rn(x, x, sum);
  }

  sum = block_tree<threads>(sum);
  if (threadIdx.x == 0) atomicAdd(result, sum);
}
// [/kernel]

}  // namespace

// [launch]
void float_atomic(const float* d_values, std::int64_t n, float* d_sum, cudaStream_t stream) {
  COALESCE_CHECK(cudaMemsetAsync(d_sum, 0, sizeof(float), stream));
  const auto kernel =
      takes_vectors(d_values) ? float_atomic_kernel<true> : float_atomic_kernel<false>;
  coalesce::launch(kernel, {.grid = float_blocks(n), .block = threads, .stream = stream}, d_values,
                   n, d_sum);
}
// [/launch]

}  // namespace chapter05
