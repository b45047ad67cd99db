// Wrong: no loop, so that only the first 1024 elements have a thread.
#include <algorithm>

#include "coalesce/launch.hpp"
#include "exercise.hpp"

// [kernel]
__global__ void add_reversed_kernel(const int* a, std::int64_t n, int* b) {
  // [answer]
  const std::int64_t first = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;

  if (first < n) b[n - 1 - first] += a[first];
  // [/answer]
}
// [/kernel]

void add_reversed(const int* d_a, std::int64_t n, int* d_b, cudaStream_t stream) {
  // [launch]
  const auto blocks = static_cast<unsigned>(std::min<std::int64_t>(4, coalesce::ceil_div(n, 256)));
  // [/launch]
  coalesce::launch(add_reversed_kernel, {.grid = blocks, .block = 256, .stream = stream}, d_a, n,
                   d_b);
}
