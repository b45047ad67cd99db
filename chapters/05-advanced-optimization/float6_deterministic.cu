// Float 6, deterministic at full bandwidth: the order of the additions belongs to chains of tiles, and the
// number of chains is a constant. Which block runs a chain, and when, changes no bit of the sum.
// Reads 4 bytes an element, writes and reads 4 bytes a chain more. Any n, any alignment of float.
#include "float_tree.hpp"
#include "steps.hpp"

namespace chapter05 {
namespace {

// [kernel]
template <int Threads, int Loads, bool Vectors>
__global__ void __launch_bounds__(Threads)
    float_deterministic_kernel(const float* values, std::int64_t n, int chains, float* result,
                               float_workspace* work) {
  const std::int64_t tiles = coalesce::ceil_div(n, tile_floats(Threads, Loads));
  float* of_chain = work->partials<float>();

  for (int chain = blockIdx.x; chain < chains; chain += gridDim.x) {
    float4 sums{};
    for (std::int64_t tile = chain; tile < tiles; tile += chains) {
      float4 vectors[Loads], squares{};
      load_tile<Threads, Loads, Vectors>(values, n, tile, vectors);
      for (const float4 v : vectors)
        squares = {__fmaf_rn(v.x, v.x, squares.x), __fmaf_rn(v.y, v.y, squares.y),
                   __fmaf_rn(v.z, v.z, squares.z), __fmaf_rn(v.w, v.w, squares.w)};
      sums = {add(sums.x, squares.x), add(sums.y, squares.y), add(sums.z, squares.z),
              add(sums.w, squares.w)};
    }
    const float sum = block_tree<Threads>(add(add(sums.x, sums.y), add(sums.z, sums.w)));
    if (threadIdx.x == 0) of_chain[chain] = sum;
  }

  if (!comes_last(&work->ticket)) return;
  double sum = 0;
  for (int chain = threadIdx.x; chain < chains; chain += Threads)
    sum = add(sum, double{of_chain[chain]});
  sum = block_tree<Threads>(sum);
  if (threadIdx.x == 0) *result = static_cast<float>(sum);
}
// [/kernel]

}  // namespace

// [launch]
template <int Threads, int Loads>
void deterministic(const float* d_values, std::int64_t n, float* d_sum, void* d_workspace,
                   cudaStream_t stream, int chains, int blocks) {
  const std::int64_t tiles = coalesce::ceil_div(n, tile_floats(Threads, Loads));
  chains = static_cast<int>(std::clamp<std::int64_t>(tiles, 1, chains));  // no empty ones
  const auto kernel = takes_vectors(d_values) ? float_deterministic_kernel<Threads, Loads, true>
                                              : float_deterministic_kernel<Threads, Loads, false>;
  coalesce::launch(
      kernel,
      {.grid = static_cast<unsigned>(std::min(blocks, chains)), .block = Threads, .stream = stream},
      d_values, n, chains, d_sum, static_cast<float_workspace*>(d_workspace));
}
// [/launch]

using signature = void(const float*, std::int64_t, float*, void*, cudaStream_t, int, int);
template signature deterministic<256, 4>;
template signature deterministic<128, 4>;
template signature deterministic<128, 8>;
template signature deterministic<256, 2>;
template signature deterministic<256, 8>;
template signature deterministic<512, 2>;
template signature deterministic<512, 4>;
template signature deterministic<1024, 2>;

}  // namespace chapter05
