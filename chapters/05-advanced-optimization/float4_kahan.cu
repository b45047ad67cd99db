// Float 4, compensated on the whole GPU: every thread keeps a sum and what it lost, and the trees add
// such pairs. Several times the arithmetic, and it hides behind the loads.
// Reads 4 bytes an element. Any n, any alignment of float.
#include "float_tree.hpp"
#include "steps.hpp"

namespace chapter05 {
namespace {

constexpr int threads = float_threads, loads = float_loads;

// [kahan]
struct kahan {
  float sum, lost;  // `sum` is too large by `lost`
};

__device__ kahan add_square(kahan a, float x) {  // right when the sum is the larger of the two
  const float term = __fmaf_rn(x, x, -a.lost);
  const float next = __fadd_rn(a.sum, term);
  return {next, __fsub_rn(__fsub_rn(next, a.sum), term)};
}

__device__ kahan add(kahan a, kahan b) {  // right whichever is the larger
  const float next = __fadd_rn(a.sum, b.sum);
  const float of_b = __fsub_rn(next, a.sum), of_a = __fsub_rn(next, of_b);
  const float lost = __fadd_rn(__fsub_rn(of_a, a.sum), __fsub_rn(of_b, b.sum));
  return {next, __fadd_rn(lost, __fadd_rn(a.lost, b.lost))};
}

__device__ kahan of_lane_behind(kahan value, int apart) {
  return {chapter05::of_lane_behind(value.sum, apart),
          chapter05::of_lane_behind(value.lost, apart)};
}
// [/kahan]

// [kernel]
template <bool Vectors>
__global__ void __launch_bounds__(threads)
    float_kahan_kernel(const float* values, std::int64_t n, float* result, float_workspace* work) {
  const std::int64_t tiles = coalesce::ceil_div(n, tile_floats(threads, loads));
  kahan sum{};

  for (std::int64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    float4 vectors[loads];
    load_tile<threads, loads, Vectors>(values, n, tile, vectors);
    for (const float4 v : vectors)
      for (const float x : {v.x, v.y, v.z, v.w}) sum = add_square(sum, x);
  }

  sum = block_tree<threads>(sum);
  kahan* of_block = work->partials<kahan>();
  if (threadIdx.x == 0) of_block[blockIdx.x] = sum;
  if (!comes_last(&work->ticket)) return;

  sum = {};
  for (unsigned b = threadIdx.x; b < gridDim.x; b += threads) sum = add(sum, of_block[b]);
  sum = block_tree<threads>(sum);
  if (threadIdx.x == 0) *result = __fsub_rn(sum.sum, sum.lost);
}
// [/kernel]

}  // namespace

// [launch]
void float_kahan(const float* d_values, std::int64_t n, float* d_sum, void* d_workspace,
                 cudaStream_t stream) {
  const auto kernel =
      takes_vectors(d_values) ? float_kahan_kernel<true> : float_kahan_kernel<false>;
  coalesce::launch(kernel, {.grid = float_blocks(n), .block = threads, .stream = stream}, d_values,
                   n, d_sum, static_cast<float_workspace*>(d_workspace));
}
// [/launch]

}  // namespace chapter05
