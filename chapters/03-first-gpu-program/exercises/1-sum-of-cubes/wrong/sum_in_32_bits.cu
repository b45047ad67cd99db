// Wrong: the partial sum wraps.
#include "coalesce/launch.hpp"
#include "exercise.hpp"

// [kernel]
__global__ void sum_of_cubes_kernel(const int* values, std::int64_t n, std::int64_t* sum) {
  // [answer]
  std::uint32_t partial = 0;
  for (std::int64_t i = 0; i < n; ++i) partial += values[i] * values[i] * values[i];
  *sum = static_cast<std::int32_t>(partial);
  // [/answer]
}
// [/kernel]

void sum_of_cubes(const int* d_values, std::int64_t n, std::int64_t* d_sum, cudaStream_t stream) {
  coalesce::launch(sum_of_cubes_kernel, {.grid = 1, .block = 1, .stream = stream}, d_values, n,
                   d_sum);
}
