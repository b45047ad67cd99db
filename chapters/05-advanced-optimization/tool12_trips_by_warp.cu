// Unequal trip counts, by warp: of each 1024 elements warp w takes those that need w + 1 times the turns.
// Reads 4 bytes an element, writes 4. Any n from 0 on.
#include "coalesce/launch.hpp"
#include "steps.hpp"
#include "tool_ways.hpp"

namespace chapter05 {
namespace {

constexpr int block_threads = 1024;

// [kernel]
__global__ void trips_kernel(const std::uint32_t* in, std::int64_t n, int turns,
                             std::uint32_t* out) {
  const int t = threadIdx.x;
  const int element = t % 32 * 32 + t / 32;
  const std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + element;
  if (i >= n) return;

  const int trips = static_cast<int>(i % 32 + 1) * turns;
  out[i] = one_way(in[i], trips);
}
// [/kernel]

}  // namespace

// [launch]
void trips_by_warp(const std::uint32_t* d_in, std::int64_t n, std::uint32_t* d_out,
                   cudaStream_t stream) {
  coalesce::launch(
      trips_kernel,
      {.grid = coalesce::grid_for(n, block_threads), .block = block_threads, .stream = stream},
      d_in, n, repeats(n), d_out);
}
// [/launch]

}  // namespace chapter05
