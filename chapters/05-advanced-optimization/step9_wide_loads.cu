// Step 9, wide loads: four ints with each load, from the first 16-byte boundary on. What lies before it
// and behind the last whole four is added singly. Reads 4 bytes an element. Any n from 0 on.
#include <algorithm>

#include "aligned_middle.hpp"
#include "block_sum.hpp"
#include "coalesce/error.hpp"
#include "coalesce/launch.hpp"
#include "resident_blocks.hpp"
#include "square.hpp"
#include "steps.hpp"

namespace chapter05 {
namespace {

constexpr int block_threads = 256;

// [kernel]
__global__ void sum_of_squares_kernel(const int* values, std::int64_t n, atomic_sum* sum) {
  const unsigned t = threadIdx.x;
  const std::int64_t first = blockIdx.x * std::int64_t{block_threads} + t;
  const std::int64_t stride = gridDim.x * std::int64_t{block_threads};
  const aligned_middle middle = split(values, n);

  std::int64_t mine = 0;
#pragma unroll 4
  for (std::int64_t i = first; i < middle.count; i += stride) mine += squares(middle.data[i]);
  if (first < middle.head) mine += square(values[first]);
  if (first < middle.tail) mine += square(values[n - 1 - first]);
  const std::int64_t total = block_sum<block_threads>(mine);

  if (t == 0) atomicAdd(sum, static_cast<atomic_sum>(total));
}
// [/kernel]

}  // namespace

// [launch]
void wide_loads(const int* d_values, std::int64_t n, std::int64_t* d_sum, cudaStream_t stream) {
  const std::int64_t blocks =
      std::min<std::int64_t>(coalesce::ceil_div(n, 16 * block_threads),
                             resident_blocks(sum_of_squares_kernel, block_threads));
  COALESCE_CHECK(cudaMemsetAsync(d_sum, 0, sizeof *d_sum, stream));
  coalesce::launch(
      sum_of_squares_kernel,
      {.grid = static_cast<unsigned>(blocks), .block = block_threads, .stream = stream}, d_values,
      n, reinterpret_cast<atomic_sum*>(d_sum));
}
// [/launch]

}  // namespace chapter05
