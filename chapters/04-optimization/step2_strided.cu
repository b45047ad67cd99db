// Step 2, strided: the threads of one block share the sum; neighbouring threads take neighbouring
// elements. Reads 4 bytes an element, writes 8 bytes a thread. Any n from 0 on.
#include "coalesce/launch.hpp"
#include "steps.hpp"

namespace chapter04 {
namespace {

// [kernel]
__global__ void strided_kernel(const int* values, std::int64_t n, std::int64_t* partials) {
  std::int64_t partial = 0;
  for (std::int64_t i = threadIdx.x; i < n; i += blockDim.x) {
    const std::int64_t value = values[i];
    partial += value * value;
  }

  partials[threadIdx.x] = partial;
}
// [/kernel]

}  // namespace

// [launch]
void strided(const int* d_values, std::int64_t n, std::int64_t* d_partials, int threads,
             cudaStream_t stream) {
  coalesce::launch(strided_kernel,
                   {.grid = 1, .block = static_cast<unsigned>(threads), .stream = stream}, d_values,
                   n, d_partials);
}
// [/launch]

}  // namespace chapter04
