// Step 11, a cooperative grid: every block leaves its sum in a workspace, all blocks wait for each other,
// and block 0 adds the sums up. No ticket, so nothing to reset. Reads 4 bytes an element. Any n from 0 on.
#include <cooperative_groups.h>

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

  // [sync]
  if (t == 0) work->partial[blockIdx.x] = total;
  cooperative_groups::this_grid().sync();
  if (blockIdx.x > 0) return;
  // [/sync]

  mine = 0;
  for (unsigned b = t; b < gridDim.x; b += block_threads) mine += work->partial[b];
  total = block_sum<block_threads>(mine);

  if (t == 0) *sum = total;
}
// [/kernel]

}  // namespace

// [launch]
void cooperative_grid(const int* d_values, std::int64_t n, std::int64_t* d_sum, void* d_workspace,
                      cudaStream_t stream) {
  const std::int64_t blocks =
      std::clamp<std::int64_t>(coalesce::ceil_div(n, 16 * block_threads), 1,
                               resident_blocks(sum_of_squares_kernel, block_threads));
  auto* work = static_cast<sum_workspace*>(d_workspace);
  void* arguments[] = {&d_values, &n, &d_sum, &work};
  COALESCE_CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(sum_of_squares_kernel),
                                             dim3(static_cast<unsigned>(blocks)),
                                             dim3(block_threads), arguments, 0, stream));
}
// [/launch]

}  // namespace chapter05
