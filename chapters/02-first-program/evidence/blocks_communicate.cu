// Evidence: blocks of one launch can exchange data, in an order nobody promises. Each block leaves a
// number and takes a ticket; the block that draws the last ticket finds what all the others left.
#include <cstdio>

#include "../steps.hpp"
#include "coalesce/device_buffer.hpp"
#include "coalesce/launch.hpp"

namespace chapter02 {
namespace {

// [kernel]
__global__ void last_block_sums_kernel(int* left, unsigned* tickets, int* sum) {
  left[blockIdx.x] = blockIdx.x + 1;
  __threadfence();  // what this block left is visible before its ticket is drawn

  const unsigned ticket = atomicAdd(tickets, 1);
  if (ticket != gridDim.x - 1) return;

  __threadfence();  // and it is read after the last ticket is drawn
  int total = 0;
  for (unsigned block = 0; block < gridDim.x; ++block) total += left[block];
  *sum = total;
}
// [/kernel]

}  // namespace

// [launch]
int blocks_communicate(std::int64_t) {
  constexpr int blocks = 100;
  coalesce::device_buffer<int> d_left(blocks), d_sum(1);
  coalesce::device_buffer<unsigned> d_tickets(1);
  d_left.fill_bytes(0);
  d_tickets.fill_bytes(0);
  coalesce::launch(last_block_sums_kernel, {.grid = blocks, .block = 1}, d_left.data(),
                   d_tickets.data(), d_sum.data());

  int sum = 0;
  d_sum.copy_to_host({&sum, 1});
  std::printf("the last of %d blocks added up what all left: %d\n", blocks, sum);
  return sum == blocks * (blocks + 1) / 2 ? 0 : 1;
}
// [/launch]

}  // namespace chapter02
