// Step 13, a tile a block: as many blocks as there are tiles of 64 KiB, handed out by the hardware in the
// order of memory. A thread has eight wide loads in flight, of data that no cache need keep.
// Reads 4 bytes an element. n from 0 to 2^35 - 1.
#include <algorithm>

#include "aligned_middle.hpp"
#include "block_sum.hpp"
#include "coalesce/launch.hpp"
#include "load_once.hpp"
#include "square.hpp"
#include "steps.hpp"
#include "sum_workspace.hpp"
#include "ticket_word.hpp"

namespace chapter05 {
namespace {

constexpr int block_threads = 512;
constexpr int loads = 8;
constexpr std::int64_t tile = block_threads * loads;  // in fours of ints

// [kernel]
__global__ void __launch_bounds__(block_threads)
    sum_of_squares_kernel(const int* values, std::int64_t n, std::int64_t* sum,
                          sum_workspace* work) {
  const unsigned t = threadIdx.x;
  const std::int64_t begin = blockIdx.x * tile;
  const aligned_middle middle = split(values, n);

  std::int64_t mine = 0;
  if (begin + tile <= middle.count) {
    int4 fours[loads];
#pragma unroll
    for (int k = 0; k < loads; ++k)
      fours[k] = load_once(middle.data + begin + k * block_threads + t);
#pragma unroll
    for (int k = 0; k < loads; ++k) mine += squares(fours[k]);
  } else {
    for (std::int64_t i = begin + t; i < middle.count; i += block_threads)
      mine += squares(middle.data[i]);
  }
  if (blockIdx.x == 0 && t < middle.head) mine += square(values[t]);
  if (blockIdx.x == 0 && t < middle.tail) mine += square(values[n - 1 - t]);
  const auto total = static_cast<atomic_sum>(block_sum<block_threads>(mine));
  if (t > 0) return;

  // [ticket]
  atomic_sum mine_packed = wide_ticket_word::arrived;
  if (total < wide_ticket_word::too_large) {
    mine_packed += total;
  } else {
    atomicAdd(&work->large_sums, total);
    __threadfence();
  }
  const atomic_sum all = atomicAdd(&work->packed, mine_packed) + mine_packed;
  if (wide_ticket_word::arrivals(all) < gridDim.x) return;

  __threadfence();
  *sum = static_cast<std::int64_t>(wide_ticket_word::small_sums(all) +
                                   atomicExch(&work->large_sums, 0));
  work->packed = 0;
  // [/ticket]
}
// [/kernel]

}  // namespace

// [launch]
void tile_a_block(const int* d_values, std::int64_t n, std::int64_t* d_sum, void* d_workspace,
                  cudaStream_t stream) {
  const std::int64_t blocks = std::max<std::int64_t>(coalesce::ceil_div(n, 4 * tile), 1);
  coalesce::launch(
      sum_of_squares_kernel,
      {.grid = coalesce::grid_for(blocks, 1), .block = block_threads, .stream = stream}, d_values,
      n, d_sum, static_cast<sum_workspace*>(d_workspace));
}
// [/launch]

}  // namespace chapter05
