// Float 1, one thread: the sum of the squares as everybody writes it first, in one float.
// Reads 4 bytes an element. Each addition rounds, and the error of all of them stays in the sum.
#include "coalesce/launch.hpp"
#include "steps.hpp"

namespace chapter05 {
namespace {

// [kernel]
__global__ void float_one_thread_kernel(const float* values, std::int64_t n, float* result) {
  float sum = 0;

  for (std::int64_t i = 0; i < n; ++i) {
    sum = __fmaf_rn(values[i], values[i], sum);
  }

  *result = sum;
}
// [/kernel]

}  // namespace

// [launch]
void float_one_thread(const float* d_values, std::int64_t n, float* d_sum, cudaStream_t stream) {
  coalesce::launch(float_one_thread_kernel, {.grid = 1, .block = 1, .stream = stream}, d_values, n,
                   d_sum);
}
// [/launch]

}  // namespace chapter05
