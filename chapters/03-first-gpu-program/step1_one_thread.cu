// Step 1, one thread: a single GPU thread adds up the squares, one element after the other.
// Reads 4 bytes an element, writes 8 bytes in all. Any n from 0 on.
#include "coalesce/launch.hpp"
#include "steps.hpp"

namespace chapter03 {
namespace {

// [kernel]
__global__ void sum_of_squares_kernel(const int* values, std::int64_t n, std::int64_t* sum) {
  std::int64_t partial = 0;

  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t value = values[i];
    partial += value * value;
  }

  *sum = partial;
}
// [/kernel]

}  // namespace

// [launch]
void one_thread(const int* d_values, std::int64_t n, std::int64_t* d_sum, cudaStream_t stream) {
  coalesce::launch(sum_of_squares_kernel, {.grid = 1, .block = 1, .stream = stream}, d_values, n,
                   d_sum);
}
// [/launch]

}  // namespace chapter03
