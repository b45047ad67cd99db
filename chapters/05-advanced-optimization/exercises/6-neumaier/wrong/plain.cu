// Wrong: keeps nothing of what is rounded away.
#include "coalesce/launch.hpp"
#include "exercise.hpp"

// [kernel]
__global__ void careful_sum_kernel(const float* values, std::int64_t n, float* result) {
  // [answer]
  float sum = 0;
  for (std::int64_t i = 0; i < n; ++i) sum = __fadd_rn(sum, values[i]);
  *result = sum;
  // [/answer]
}
// [/kernel]

void careful_sum(const float* d_values, std::int64_t n, float* d_sum, cudaStream_t stream) {
  coalesce::launch(careful_sum_kernel, {.grid = 1, .block = 1, .stream = stream}, d_values, n,
                   d_sum);
}
