// Bytes in flight: the sum again, with the number of blocks on a multiprocessor and the loads in a thread
// in the caller's hand. Little's law says how many bytes have to be on their way; this measures it.
// Reads 4 bytes an element. Any n, any alignment of float.
#include "float_tree.hpp"
#include "steps.hpp"

namespace chapter05 {
namespace {

constexpr int threads = float_threads;

// [kernel]
template <int Loads, bool Vectors>
__global__ void __launch_bounds__(threads)
    in_flight_kernel(const float* values, std::int64_t n, float* result) {
  const std::int64_t tiles = coalesce::ceil_div(n, tile_floats(threads, Loads));
  float sum = 0;

#pragma unroll 1  // one tile at a time: no loads of the next tile may move up
  for (std::int64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    float4 vectors[Loads];
    load_tile<threads, Loads, Vectors>(values, n, tile, vectors);
    for (const float4 v : vectors)
      for (const float x : {v.x, v.y, v.z, v.w}) sum = __fmaf_rn(x, x, sum);
  }

  sum = block_tree<threads>(sum);
  if (threadIdx.x == 0) atomicAdd(result, sum);
}
// [/kernel]

}  // namespace

// [launch]
template <int Loads>
void in_flight(const float* d_values, std::int64_t n, float* d_sum, cudaStream_t stream,
               int blocks_per_sm) {
  COALESCE_CHECK(cudaMemsetAsync(d_sum, 0, sizeof(float), stream));
  int device = 0, sms = 0;
  COALESCE_CHECK(cudaGetDevice(&device));
  COALESCE_CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device));
  const auto kernel =
      takes_vectors(d_values) ? in_flight_kernel<Loads, true> : in_flight_kernel<Loads, false>;
  coalesce::launch(
      kernel,
      {.grid = static_cast<unsigned>(blocks_per_sm * sms), .block = threads, .stream = stream},
      d_values, n, d_sum);
}
// [/launch]

template void in_flight<1>(const float*, std::int64_t, float*, cudaStream_t, int);
template void in_flight<2>(const float*, std::int64_t, float*, cudaStream_t, int);
template void in_flight<4>(const float*, std::int64_t, float*, cudaStream_t, int);

}  // namespace chapter05
