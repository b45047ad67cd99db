// Step 8, grid-stride: only as many blocks as the device holds at a time, and every thread walks through
// the array with eight loads in flight. Reads 4 bytes an element. Any n from 0 on.
#include <algorithm>

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

  std::int64_t mine = 0;
#pragma unroll 8
  for (std::int64_t i = first; i < n; i += stride) mine += square(values[i]);
  const std::int64_t total = block_sum<block_threads>(mine);

  if (t == 0) atomicAdd(sum, static_cast<atomic_sum>(total));
}
// [/kernel]

}  // namespace

// [launch]
void grid_stride(const int* d_values, std::int64_t n, std::int64_t* d_sum, cudaStream_t stream) {
  const std::int64_t blocks = std::min<std::int64_t>(
      coalesce::ceil_div(n, block_threads), resident_blocks(sum_of_squares_kernel, block_threads));
  COALESCE_CHECK(cudaMemsetAsync(d_sum, 0, sizeof *d_sum, stream));
  coalesce::launch(
      sum_of_squares_kernel,
      {.grid = static_cast<unsigned>(blocks), .block = block_threads, .stream = stream}, d_values,
      n, reinterpret_cast<atomic_sum*>(d_sum));
}
// [/launch]

}  // namespace chapter05
