// Wrong: the distance to the next smaller float. At a power of two it is half as much.
#include "coalesce/launch.hpp"
#include "exercise.hpp"

// [kernel]
__global__ void units_kernel(const float* values, std::int64_t n, float* ulps) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  // [answer]
  ulps[i] = __fsub_rn(values[i], __int_as_float(__float_as_int(values[i]) - 1));
  // [/answer]
}
// [/kernel]

void units_in_last_place(const float* d_values, std::int64_t n, float* d_ulps,
                         cudaStream_t stream) {
  coalesce::launch(units_kernel,
                   {.grid = coalesce::grid_for(n, 256), .block = 256, .stream = stream}, d_values,
                   n, d_ulps);
}
