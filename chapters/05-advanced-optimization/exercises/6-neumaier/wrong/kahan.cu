// Wrong: Kahan's sum. Where the term is the larger one, what the sum loses is not seen.
#include "coalesce/launch.hpp"
#include "exercise.hpp"

// [kernel]
__global__ void careful_sum_kernel(const float* values, std::int64_t n, float* result) {
  // [answer]
  float sum = 0, lost = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    const float term = __fsub_rn(values[i], lost), next = __fadd_rn(sum, term);
    lost = __fsub_rn(__fsub_rn(next, sum), term);
    sum = next;
  }
  *result = sum;
  // [/answer]
}
// [/kernel]

void careful_sum(const float* d_values, std::int64_t n, float* d_sum, cudaStream_t stream) {
  coalesce::launch(careful_sum_kernel, {.grid = 1, .block = 1, .stream = stream}, d_values, n,
                   d_sum);
}
