// Float 7, in double: the deterministic sum again, with every thread adding in double. The loads stay; each
// element costs a conversion and a multiply-add of 64 bits, of which many GPUs have few lanes.
// Reads 4 bytes an element, writes and reads 8 bytes a chain more. Any n, any alignment of float.
#include "float_tree.hpp"
#include "steps.hpp"

namespace chapter05 {
namespace {

// [kernel]
template <int Threads, int Loads, bool Vectors>
__global__ void __launch_bounds__(Threads)
    float_double_kernel(const float* values, std::int64_t n, int chains, float* result,
                        float_workspace* work) {
  const std::int64_t tiles = coalesce::ceil_div(n, tile_floats(Threads, Loads));
  double* of_chain = work->partials<double>();

  for (int chain = blockIdx.x; chain < chains; chain += gridDim.x) {
    double sum = 0;
    for (std::int64_t tile = chain; tile < tiles; tile += chains) {
      float4 vectors[Loads];
      load_tile<Threads, Loads, Vectors>(values, n, tile, vectors);
      for (const float4 v : vectors)
        for (const double x : {v.x, v.y, v.z, v.w}) sum = __fma_rn(x, x, sum);
    }
    sum = block_tree<Threads>(sum);
    if (threadIdx.x == 0) of_chain[chain] = sum;
  }

  if (!comes_last(&work->ticket)) return;
  double sum = 0;
  for (int chain = threadIdx.x; chain < chains; chain += Threads) sum = add(sum, of_chain[chain]);
  sum = block_tree<Threads>(sum);
  if (threadIdx.x == 0) *result = static_cast<float>(sum);
}
// [/kernel]

}  // namespace

// [launch]
void float_double(const float* d_values, std::int64_t n, float* d_sum, void* d_workspace,
                  cudaStream_t stream) {
  constexpr int threads = deterministic_threads, loads = deterministic_loads;
  const std::int64_t tiles = coalesce::ceil_div(n, tile_floats(threads, loads));
  const int chains = static_cast<int>(std::clamp<std::int64_t>(tiles, 1, deterministic_chains));
  const auto kernel = takes_vectors(d_values) ? float_double_kernel<threads, loads, true>
                                              : float_double_kernel<threads, loads, false>;
  coalesce::launch(kernel,
                   {.grid = static_cast<unsigned>(chains), .block = threads, .stream = stream},
                   d_values, n, chains, d_sum, static_cast<float_workspace*>(d_workspace));
}
// [/launch]

}  // namespace chapter05
