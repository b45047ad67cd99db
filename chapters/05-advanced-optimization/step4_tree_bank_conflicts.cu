// Step 4, the same pairs, added by neighbouring threads: thread t takes place 2 * distance * t. Whole warps
// work or rest, but now their addresses lie apart. Reads 4 bytes an element. Any n from 0 on.
#include "coalesce/error.hpp"
#include "coalesce/launch.hpp"
#include "square.hpp"
#include "steps.hpp"

namespace chapter05 {
namespace {

constexpr int block_threads = 256;

// [kernel]
__global__ void sum_of_squares_kernel(const int* values, std::int64_t n, atomic_sum* sum) {
  __shared__ std::int64_t partial[block_threads];
  const unsigned t = threadIdx.x;
  const std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + t;

  partial[t] = i < n ? square(values[i]) : 0;
  __syncthreads();

  for (unsigned distance = 1; distance < blockDim.x; distance *= 2) {
    const unsigned place = 2 * distance * t;
    if (place < blockDim.x) partial[place] += partial[place + distance];
    __syncthreads();
  }

  if (t == 0) atomicAdd(sum, static_cast<atomic_sum>(partial[0]));
}
// [/kernel]

}  // namespace

// [launch]
void tree_bank_conflicts(const int* d_values, std::int64_t n, std::int64_t* d_sum,
                         cudaStream_t stream) {
  COALESCE_CHECK(cudaMemsetAsync(d_sum, 0, sizeof *d_sum, stream));
  coalesce::launch(
      sum_of_squares_kernel,
      {.grid = coalesce::grid_for(n, block_threads), .block = block_threads, .stream = stream},
      d_values, n, reinterpret_cast<atomic_sum*>(d_sum));
}
// [/launch]

}  // namespace chapter05
