// Registers under a limit: every thread keeps 64 sums, and __launch_bounds__ promises how many blocks fit on
// a multiprocessor. Where the promise leaves too few registers for the sums, some of them spill.
// Reads 4 bytes an element. Any n, any alignment of float.
#include "float_tree.hpp"
#include "steps.hpp"

namespace chapter05 {
namespace {

constexpr int threads = 256, loads = 16;  // 64 sums in each thread, and 64 values on their way

// [kernel]
template <int Blocks, bool Vectors>
__global__ void __launch_bounds__(threads, Blocks)
    limited_registers_kernel(const float* values, std::int64_t n, float* result) {
  const std::int64_t tiles = coalesce::ceil_div(n, tile_floats(threads, loads));
  float4 sums[loads]{};

  for (std::int64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    float4 vectors[loads];
    load_tile<threads, loads, Vectors>(values, n, tile, vectors);
    for (int k = 0; k < loads; ++k) {
      const float4 v = vectors[k], s = sums[k];
      sums[k] = {__fmaf_rn(v.x, v.x, s.x), __fmaf_rn(v.y, v.y, s.y), __fmaf_rn(v.z, v.z, s.z),
                 __fmaf_rn(v.w, v.w, s.w)};
    }
  }

  float sum = 0;
  for (const float4 s : sums) sum = add(sum, add(add(s.x, s.y), add(s.z, s.w)));
  sum = block_tree<threads>(sum);
  if (threadIdx.x == 0) atomicAdd(result, sum);
}
// [/kernel]

}  // namespace

// [launch]
template <int Blocks>
void limited_registers(const float* d_values, std::int64_t n, float* d_sum, cudaStream_t stream) {
  COALESCE_CHECK(cudaMemsetAsync(d_sum, 0, sizeof(float), stream));
  const auto kernel = takes_vectors(d_values) ? limited_registers_kernel<Blocks, true>
                                              : limited_registers_kernel<Blocks, false>;
  coalesce::launch(kernel, {.grid = float_blocks(n), .block = threads, .stream = stream}, d_values,
                   n, d_sum);
}
// [/launch]

coalesce::kernel_facts limited_registers_facts(int blocks) {
  const auto kernel = blocks == 1   ? limited_registers_kernel<1, true>
                      : blocks == 2 ? limited_registers_kernel<2, true>
                                    : limited_registers_kernel<4, true>;
  return coalesce::facts_of(reinterpret_cast<const void*>(kernel));
}

template float_step limited_registers<1>;
template float_step limited_registers<2>;
template float_step limited_registers<4>;

}  // namespace chapter05
