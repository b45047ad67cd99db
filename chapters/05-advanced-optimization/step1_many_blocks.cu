// Step 1, many blocks: as many threads as the device holds share the loop, and every thread adds its own
// sum to the result. Reads 4 bytes an element and adds 8 bytes a thread atomically. Any n from 0 on.
#include "coalesce/error.hpp"
#include "coalesce/launch.hpp"
#include "steps.hpp"

namespace chapter05 {
namespace {

// [kernel]
__global__ void sum_of_squares_kernel(const int* values, std::int64_t n, unsigned long long* sum) {
  const std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x;

  std::int64_t mine = 0;
  if (i < n) {
    const std::int64_t value = values[i];
    mine = value * value;
  }

  atomicAdd(sum, static_cast<unsigned long long>(mine));
}
// [/kernel]

}  // namespace

// [launch]
void many_blocks(const int* d_values, std::int64_t n, std::int64_t* d_sum, cudaStream_t stream) {
  constexpr int block = 256;
  COALESCE_CHECK(cudaMemsetAsync(d_sum, 0, sizeof *d_sum, stream));
  coalesce::launch(sum_of_squares_kernel,
                   {.grid = coalesce::grid_for(n, block), .block = block, .stream = stream},
                   d_values, n, reinterpret_cast<unsigned long long*>(d_sum));
}
// [/launch]

}  // namespace chapter05
