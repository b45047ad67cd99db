// Float 5, pairwise: one binary tree over everything. A tree over each tile, then a tree over the tiles'
// sums. No block's speed and no number of blocks changes who is added to whom: the same bits every time.
// Reads 4 bytes an element, writes and reads 4 bytes a tile more. Any n, any alignment of float.
#include "float_tree.hpp"
#include "steps.hpp"

namespace chapter05 {
namespace {

constexpr int threads = float_threads, loads = float_loads;

// [kernel]
template <bool Vectors>
__global__ void __launch_bounds__(threads)
    float_pairwise_kernel(const float* values, std::int64_t n, float* result,
                          float_workspace* work) {
  const std::int64_t tiles = coalesce::ceil_div(n, tile_floats(threads, loads));
  float* of_tile = work->partials<float>();

  for (std::int64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    float4 vectors[loads];
    load_tile<threads, loads, Vectors>(values, n, tile, vectors);
    float pairs[loads];
    for (int k = 0; k < loads; ++k) {
      const float4 v = vectors[k];
      pairs[k] =
          add(__fmaf_rn(v.x, v.x, __fmul_rn(v.y, v.y)), __fmaf_rn(v.z, v.z, __fmul_rn(v.w, v.w)));
    }
    for (int half = loads / 2; half > 0; half /= 2)
      for (int k = 0; k < half; ++k) pairs[k] = add(pairs[k], pairs[k + half]);
    const float sum = block_tree<threads>(pairs[0]);
    if (threadIdx.x == 0) of_tile[tile] = sum;
  }

  if (!comes_last(&work->ticket)) return;
  for (std::int64_t left = tiles; left > 1; left = (left + 1) / 2) {
    const std::int64_t half = (left + 1) / 2;
    for (std::int64_t i = threadIdx.x; i + half < left; i += threads)
      of_tile[i] = add(of_tile[i], of_tile[i + half]);
    __syncthreads();
  }
  if (threadIdx.x == 0) *result = tiles > 0 ? of_tile[0] : 0.0f;
}
// [/kernel]

}  // namespace

// [launch]
void float_pairwise(const float* d_values, std::int64_t n, float* d_sum, void* d_workspace,
                    cudaStream_t stream) {
  const auto kernel =
      takes_vectors(d_values) ? float_pairwise_kernel<true> : float_pairwise_kernel<false>;
  coalesce::launch(kernel, {.grid = float_blocks(n), .block = threads, .stream = stream}, d_values,
                   n, d_sum, static_cast<float_workspace*>(d_workspace));
}
// [/launch]

}  // namespace chapter05
