// Step 10, one launch: every block leaves its sum in a workspace and takes a ticket. The block with the
// last ticket adds the sums up, and puts the ticket back to 0. Reads 4 bytes an element. Any n from 0 on.
#include <algorithm>

#include "aligned_middle.hpp"
#include "block_sum.hpp"
#include "coalesce/launch.hpp"
#include "resident_blocks.hpp"
#include "square.hpp"
#include "steps.hpp"
#include "sum_workspace.hpp"

namespace chapter05 {
namespace {

constexpr int block_threads = 256;

// [kernel]
__global__ void sum_of_squares_kernel(const int* values, std::int64_t n, std::int64_t* sum,
                                      sum_workspace* work) {
  const unsigned t = threadIdx.x;
  const std::int64_t first = blockIdx.x * std::int64_t{block_threads} + t;
  const std::int64_t stride = gridDim.x * std::int64_t{block_threads};
  const aligned_middle middle = split(values, n);

  std::int64_t mine = 0;
#pragma unroll 4
  for (std::int64_t i = first; i < middle.count; i += stride) mine += squares(middle.data[i]);
  if (first < middle.head) mine += square(values[first]);
  if (first < middle.tail) mine += square(values[n - 1 - first]);
  std::int64_t total = block_sum<block_threads>(mine);

  // [ticket]
  __shared__ bool last;
  if (t == 0) {
    work->partial[blockIdx.x] = total;
    __threadfence();  // my sum first, then my ticket
    last = atomicAdd(&work->ticket, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  // [/ticket]

  // [last]
  __threadfence();  // my ticket first, then the others' sums
  mine = 0;
  for (unsigned b = t; b < gridDim.x; b += block_threads) mine += work->partial[b];
  total = block_sum<block_threads>(mine);

  if (t == 0) {
    *sum = total;
    work->ticket = 0;
  }
  // [/last]
}
// [/kernel]

}  // namespace

// [launch]
void one_launch(const int* d_values, std::int64_t n, std::int64_t* d_sum, void* d_workspace,
                cudaStream_t stream) {
  const std::int64_t blocks =
      std::clamp<std::int64_t>(coalesce::ceil_div(n, 16 * block_threads), 1,
                               resident_blocks(sum_of_squares_kernel, block_threads));
  coalesce::launch(
      sum_of_squares_kernel,
      {.grid = static_cast<unsigned>(blocks), .block = block_threads, .stream = stream}, d_values,
      n, d_sum, static_cast<sum_workspace*>(d_workspace));
}
// [/launch]

}  // namespace chapter05
