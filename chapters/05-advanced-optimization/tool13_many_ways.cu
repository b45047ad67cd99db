// Many ways: the lanes of a warp do the same work, but in turns, as many as the step is told.
// Reads 4 bytes an element, writes 4. Any n from 0 on.
#include "coalesce/launch.hpp"
#include "steps.hpp"
#include "tool_ways.hpp"

namespace chapter05 {
namespace {

constexpr int block_threads = 256;

// [kernel]
__global__ void many_ways_kernel(const std::uint32_t* in, std::int64_t n, int turns, int ways,
                                 std::uint32_t* out) {
  const std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x;
  if (i >= n) return;

  const int mine = threadIdx.x % ways;
  std::uint32_t x = in[i];
  for (int way = 0; way < ways; ++way)
    if (way == mine) x = one_way(x, turns);

  out[i] = x;
}
// [/kernel]

}  // namespace

// [launch]
void many_ways(int ways, const std::uint32_t* d_in, std::int64_t n, std::uint32_t* d_out,
               cudaStream_t stream) {
  coalesce::launch(
      many_ways_kernel,
      {.grid = coalesce::grid_for(n, block_threads), .block = block_threads, .stream = stream},
      d_in, n, repeats(n, 256), ways, d_out);
}
// [/launch]

}  // namespace chapter05
