// Wrong: value * 2^-23 is the unit only where the value is a power of two.
#include "coalesce/launch.hpp"
#include "exercise.hpp"

// [kernel]
__global__ void units_kernel(const float* values, std::int64_t n, float* ulps) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  // [answer]
  ulps[i] = values[i] * 0x1p-23f;
  // [/answer]
}
// [/kernel]

void units_in_last_place(const float* d_values, std::int64_t n, float* d_ulps,
                         cudaStream_t stream) {
  coalesce::launch(units_kernel,
                   {.grid = coalesce::grid_for(n, 256), .block = 256, .stream = stream}, d_values,
                   n, d_ulps);
}
