// Step 14, an early launch: step 12, but it may start while the launch before it is still adding, and waits
// before it touches memory. Reads 4 bytes an element. Any n from 0 on. Needs compute capability 9.0.
#include <algorithm>

#include "aligned_middle.hpp"
#include "block_sum.hpp"
#include "coalesce/early_launch.hpp"
#include "coalesce/launch.hpp"
#include "resident_blocks.hpp"
#include "square.hpp"
#include "steps.hpp"
#include "sum_workspace.hpp"
#include "ticket_word.hpp"

namespace chapter05 {
namespace {

constexpr int block_threads = 256;

// [kernel]
__global__ void sum_of_squares_kernel(const int* values, std::int64_t n, std::int64_t* sum,
                                      sum_workspace* work) {
  coalesce::wait_for_launch_before();
  const unsigned t = threadIdx.x;
  const std::int64_t first = blockIdx.x * std::int64_t{block_threads} + t;
  const std::int64_t stride = gridDim.x * std::int64_t{block_threads};
  const aligned_middle middle = split(values, n);

  std::int64_t mine = 0;
#pragma unroll 4
  for (std::int64_t i = first; i < middle.count; i += stride) mine += squares(middle.data[i]);
  if (first < middle.head) mine += square(values[first]);
  if (first < middle.tail) mine += square(values[n - 1 - first]);
  coalesce::allow_next_launch();
  const auto total = static_cast<atomic_sum>(block_sum<block_threads>(mine));
  if (t > 0) return;
  if (gridDim.x == 1) {
    *sum = static_cast<std::int64_t>(total);
    return;
  }

  // [ticket]
  atomic_sum mine_packed = ticket_word::arrived;
  if (total < ticket_word::too_large) {
    mine_packed += total;
  } else {  // goes a longer way, with a fence
    atomicAdd(&work->large_sums, total);
    __threadfence();
    mine_packed += ticket_word::large;
  }
  const atomic_sum all = atomicAdd(&work->packed, mine_packed) + mine_packed;
  if (ticket_word::arrivals(all) < gridDim.x) return;
  // [/ticket]

  // [last]
  atomic_sum result = ticket_word::small_sums(all);
  if (ticket_word::any_large(all)) {
    __threadfence();
    result += atomicExch(&work->large_sums, 0);
  }
  *sum = static_cast<std::int64_t>(result);
  work->packed = 0;
  // [/last]
}
// [/kernel]

}  // namespace

// [launch]
void early_launch(const int* d_values, std::int64_t n, std::int64_t* d_sum, void* d_workspace,
                  cudaStream_t stream) {
  const std::int64_t resident = resident_blocks(sum_of_squares_kernel, block_threads);
  const auto blocks = static_cast<unsigned>(
      std::clamp<std::int64_t>(coalesce::ceil_div(n, 16 * block_threads), 1,
                               std::min<std::int64_t>(resident, ticket_word::most_blocks)));
  coalesce::launch_early(sum_of_squares_kernel, blocks, block_threads, stream, d_values, n, d_sum,
                         static_cast<sum_workspace*>(d_workspace));
}
// [/launch]

}  // namespace chapter05
