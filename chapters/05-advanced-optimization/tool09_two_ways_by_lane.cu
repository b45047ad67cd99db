// Two ways, by lane: thread t takes element t, so that even lanes go one way and odd lanes the other.
// Reads 4 bytes an element, writes 4. Any n from 0 on.
#include "coalesce/launch.hpp"
#include "steps.hpp"
#include "tool_ways.hpp"

namespace chapter05 {
namespace {

constexpr int block_threads = 256;

// [kernel]
__global__ void two_ways_kernel(const std::uint32_t* in, std::int64_t n, int turns,
                                std::uint32_t* out) {
  const int t = threadIdx.x;
  const int element = t;
  const std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + element;
  if (i >= n) return;

  std::uint32_t x = in[i];
  if (i % 2 == 0)
    x = one_way(x, turns);
  else
    x = other_way(x, turns);

  out[i] = x;
}
// [/kernel]

}  // namespace

// [launch]
void two_ways_by_lane(const std::uint32_t* d_in, std::int64_t n, std::uint32_t* d_out,
                      cudaStream_t stream) {
  coalesce::launch(
      two_ways_kernel,
      {.grid = coalesce::grid_for(n, block_threads), .block = block_threads, .stream = stream},
      d_in, n, repeats(n, 256), d_out);
}
// [/launch]

}  // namespace chapter05
