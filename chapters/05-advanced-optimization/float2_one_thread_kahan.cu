// Float 2, compensated: the same thread keeps what each addition rounded away, and gives it back in the
// next one. Four operations an element in place of one. Reads 4 bytes an element.
#include "coalesce/launch.hpp"
#include "steps.hpp"

namespace chapter05 {
namespace {

// [kernel]
__global__ void float_one_thread_kahan_kernel(const float* values, std::int64_t n, float* result) {
  float sum = 0, lost = 0;  // `sum` is too large by `lost`

  for (std::int64_t i = 0; i < n; ++i) {
    const float term = __fmaf_rn(values[i], values[i], -lost);
    const float next = __fadd_rn(sum, term);
    lost = __fsub_rn(__fsub_rn(next, sum), term);
    sum = next;
  }

  *result = sum;
}
// [/kernel]

}  // namespace

// [launch]
void float_one_thread_kahan(const float* d_values, std::int64_t n, float* d_sum,
                            cudaStream_t stream) {
  coalesce::launch(float_one_thread_kahan_kernel, {.grid = 1, .block = 1, .stream = stream},
                   d_values, n, d_sum);
}
// [/launch]

}  // namespace chapter05
