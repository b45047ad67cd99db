// Step 1, many blocks: a thread for every element, and every thread adds its square to the one sum.
// Reads 4 bytes an element, and adds 8 bytes a thread atomically. Any n from 0 on.
#include "coalesce/error.hpp"
#include "coalesce/launch.hpp"
#include "square.hpp"
#include "steps.hpp"

namespace chapter05 {
namespace {

constexpr int block_threads = 256;

// [kernel]
__global__ void sum_of_squares_kernel(const int* values, std::int64_t n, atomic_sum* sum) {
  const std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x;

  const std::int64_t mine = i < n ? square(values[i]) : 0;

  atomicAdd(sum, static_cast<atomic_sum>(mine));
}
// [/kernel]

}  // namespace

// [launch]
void many_blocks(const int* d_values, std::int64_t n, std::int64_t* d_sum, cudaStream_t stream) {
  COALESCE_CHECK(cudaMemsetAsync(d_sum, 0, sizeof *d_sum, stream));
  coalesce::launch(
      sum_of_squares_kernel,
      {.grid = coalesce::grid_for(n, block_threads), .block = block_threads, .stream = stream},
      d_values, n, reinterpret_cast<atomic_sum*>(d_sum));
}
// [/launch]

}  // namespace chapter05
