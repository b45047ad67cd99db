// Wrong: the host multiplies while it adds up.
// in place of: unified.cu
// reject on the CPU device: unified computed_on_host
#include <numeric>

#include "coalesce/launch.hpp"
#include "lab.hpp"

namespace lab54 {
namespace {

// [kernel]
__global__ void scale_unified_kernel(float* values, std::int64_t n, float factor) {
  // [answer]
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) values[i] *= factor;
  // [/answer]
}
// [/kernel]

// [prefetch]
/// Asks for pages on the current device, or on the host.
[[maybe_unused]] void prefetch_to(bool device, const float* values, std::int64_t n,
                                  cudaStream_t stream) {
  const std::size_t bytes = static_cast<std::size_t>(n) * sizeof(float);
  int number = 0;
  COALESCE_CHECK(cudaGetDevice(&number));
#if CUDART_VERSION >= 13000
  cudaMemLocation place = {};
  place.type = device ? cudaMemLocationTypeDevice : cudaMemLocationTypeHost;
  place.id = device ? number : 0;
  COALESCE_CHECK(cudaMemPrefetchAsync(values, bytes, place, 0, stream));
#else
  COALESCE_CHECK(cudaMemPrefetchAsync(values, bytes, device ? number : cudaCpuDeviceId, stream));
#endif
}
// [/prefetch]

}  // namespace

float* allocate_unified(std::int64_t n) {
  float* values = nullptr;
  // [answer]
  if (n > 0)
    COALESCE_CHECK(cudaMallocManaged(&values, static_cast<std::size_t>(n) * sizeof(float)));
  // [/answer]
  return values;
}

void free_unified(float* values) {
  // [answer]
  COALESCE_CHECK(cudaFree(values));
  // [/answer]
}

// [use]
double scale_and_sum(float* values, std::int64_t n, float factor, bool prefetch,
                     cudaStream_t stream) {
  double sum = 0;
  // [answer]
  if (n == 0) return 0;
  if (prefetch) prefetch_to(true, values, n, stream);
  if (prefetch) prefetch_to(false, values, n, stream);
  COALESCE_CHECK(cudaStreamSynchronize(stream));
  for (std::int64_t i = 0; i < n; ++i) values[i] *= factor;
  sum = std::accumulate(values, values + n, 0.0);
  // [/answer]
  return sum;
}
// [/use]

}  // namespace lab54
