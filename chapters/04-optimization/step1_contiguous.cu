// Step 1, contiguous: the threads of one block share the sum; each takes one slice of the array, and
// writes the sum of its slice. Reads 4 bytes an element, writes 8 bytes a thread. Any n from 0 on.
#include "coalesce/launch.hpp"
#include "steps.hpp"

namespace chapter04 {
namespace {

// [kernel]
__global__ void contiguous_kernel(const int* values, std::int64_t n, std::int64_t* partials) {
  const std::int64_t slice = (n + blockDim.x - 1) / blockDim.x;
  const std::int64_t first = threadIdx.x * slice;
  const std::int64_t end = first + slice < n ? first + slice : n;

  std::int64_t partial = 0;
  for (std::int64_t i = first; i < end; ++i) {
    const std::int64_t value = values[i];
    partial += value * value;
  }

  partials[threadIdx.x] = partial;
}
// [/kernel]

}  // namespace

// [launch]
void contiguous(const int* d_values, std::int64_t n, std::int64_t* d_partials, int threads,
                cudaStream_t stream) {
  coalesce::launch(contiguous_kernel,
                   {.grid = 1, .block = static_cast<unsigned>(threads), .stream = stream}, d_values,
                   n, d_partials);
}
// [/launch]

}  // namespace chapter04
