// Step 7, grid-stride loop: just as many threads as the device can hold; each walks over the array in
// steps of the whole grid. Reads 4 and writes 4 bytes an element. Any n from 0 on.
#include <algorithm>

#include "coalesce/launch.hpp"
#include "steps.hpp"

namespace chapter02 {
namespace {

// [kernel]
__global__ void scale_grid_stride_kernel(const int* a, std::int64_t n, int* b) {
  const std::int64_t first = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::int64_t stride = std::int64_t{gridDim.x} * blockDim.x;

  for (std::int64_t i = first; i < n; i += stride) b[i] = 3 * a[i] + 1;
}
// [/kernel]

int attribute(cudaDeviceAttr which) {
  int device = 0, value = 0;
  COALESCE_CHECK(cudaGetDevice(&device));
  COALESCE_CHECK(cudaDeviceGetAttribute(&value, which, device));
  return value;
}

}  // namespace

// [launch]
void grid_stride(const int* d_a, std::int64_t n, int* d_b, cudaStream_t stream) {
  constexpr int block = 256;
  const int sms = attribute(cudaDevAttrMultiProcessorCount);
  const int blocks_per_sm = attribute(cudaDevAttrMaxThreadsPerMultiProcessor) / block;
  const std::int64_t enough = coalesce::ceil_div(n, block);
  const auto blocks = static_cast<unsigned>(std::min<std::int64_t>(enough, sms * blocks_per_sm));

  coalesce::launch(scale_grid_stride_kernel, {.grid = blocks, .block = block, .stream = stream},
                   d_a, n, d_b);
}
// [/launch]

}  // namespace chapter02
