// Wrong: the value is fixed, so one test value would not find it.
#include "coalesce/launch.hpp"
#include "exercise.hpp"

// [kernel]
__global__ void count_equal_kernel(const int* values, std::int64_t n, int wanted,
                                   std::int64_t* count) {
  // [answer]
  (void)wanted;
  std::int64_t found = 0;
  for (std::int64_t i = 0; i < n; ++i)
    if (values[i] == 7) ++found;
  *count = found;
  // [/answer]
}
// [/kernel]

void count_equal(const int* d_values, std::int64_t n, int wanted, std::int64_t* d_count,
                 cudaStream_t stream) {
  coalesce::launch(count_equal_kernel, {.grid = 1, .block = 1, .stream = stream}, d_values, n,
                   wanted, d_count);
}
