// Step 7, warp shuffle: the lanes of a warp hand each other their registers, so shared memory and the
// barrier are needed once a block. Reads 4 bytes an element. Any n from 0 on.
#include "block_sum.hpp"
#include "coalesce/error.hpp"
#include "coalesce/launch.hpp"
#include "square.hpp"
#include "steps.hpp"

namespace chapter05 {
namespace {

constexpr int block_threads = 256;

// [kernel]
__global__ void sum_of_squares_kernel(const int* values, std::int64_t n, atomic_sum* sum) {
  const unsigned t = threadIdx.x;
  const std::int64_t i = blockIdx.x * std::int64_t{2 * block_threads} + t;
  const std::int64_t j = i + block_threads;

  const std::int64_t mine = (i < n ? square(values[i]) : 0) + (j < n ? square(values[j]) : 0);
  const std::int64_t total = block_sum<block_threads>(mine);

  if (t == 0) atomicAdd(sum, static_cast<atomic_sum>(total));
}
// [/kernel]

}  // namespace

// [launch]
void warp_shuffle(const int* d_values, std::int64_t n, std::int64_t* d_sum, cudaStream_t stream) {
  COALESCE_CHECK(cudaMemsetAsync(d_sum, 0, sizeof *d_sum, stream));
  coalesce::launch(
      sum_of_squares_kernel,
      {.grid = coalesce::grid_for(n, 2 * block_threads), .block = block_threads, .stream = stream},
      d_values, n, reinterpret_cast<atomic_sum*>(d_sum));
}
// [/launch]

}  // namespace chapter05
