// Step 2, one thread, not unrolled: the same loop, but the compiler must keep it as it is written.
// Reads 4 bytes an element, writes 8 bytes in all. Any n from 0 on.
#include "coalesce/launch.hpp"
#include "steps.hpp"

namespace chapter03 {
namespace {

// [kernel]
__global__ void sum_of_squares_kernel(const int* values, std::int64_t n, std::int64_t* sum) {
  std::int64_t partial = 0;

#pragma unroll 1  // one element a turn: one load in flight
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t value = values[i];
    partial += value * value;
  }

  *sum = partial;
}
// [/kernel]

}  // namespace

// [launch]
void one_thread_no_unroll(const int* d_values, std::int64_t n, std::int64_t* d_sum,
                          cudaStream_t stream) {
  coalesce::launch(sum_of_squares_kernel, {.grid = 1, .block = 1, .stream = stream}, d_values, n,
                   d_sum);
}
// [/launch]

}  // namespace chapter03
