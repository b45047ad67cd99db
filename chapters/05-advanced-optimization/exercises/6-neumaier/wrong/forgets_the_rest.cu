// Wrong: keeps what is missing, and never gives it back.
#include "coalesce/launch.hpp"
#include "exercise.hpp"

// [kernel]
__global__ void careful_sum_kernel(const float* values, std::int64_t n, float* result) {
  // [answer]
  float sum = 0, missing = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    const float term = values[i], next = __fadd_rn(sum, term);
    const bool sum_is_larger = fabsf(sum) >= fabsf(term);
    const float larger = sum_is_larger ? sum : term, smaller = sum_is_larger ? term : sum;
    missing = __fadd_rn(missing, __fadd_rn(__fsub_rn(larger, next), smaller));
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
