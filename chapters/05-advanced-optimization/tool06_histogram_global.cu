// Histogram, global atomics: every element adds 1 to its counter in global memory.
// Reads 4 bytes an element. Any n from 0 to 2^32 - 1.
#include <algorithm>

#include "coalesce/error.hpp"
#include "coalesce/index.hpp"
#include "coalesce/launch.hpp"
#include "steps.hpp"

namespace chapter05 {
namespace {

constexpr int block_threads = 256;
constexpr int most_blocks = 1024;  // a block meets many elements

// [kernel]
__global__ void histogram_kernel(const int* in, std::int64_t n, std::uint32_t* counts) {
  for (std::int64_t i = coalesce::global_index_x(); i < n; i += coalesce::grid_size_x())
    atomicAdd(&counts[in[i]], 1u);
}
// [/kernel]

}  // namespace

// [launch]
void histogram_global(const int* d_in, std::int64_t n, std::uint32_t* d_bins, cudaStream_t stream) {
  COALESCE_CHECK(cudaMemsetAsync(d_bins, 0, bins * sizeof *d_bins, stream));
  const auto blocks = std::min<std::int64_t>(coalesce::ceil_div(n, block_threads), most_blocks);
  coalesce::launch(
      histogram_kernel,
      {.grid = static_cast<unsigned>(blocks), .block = block_threads, .stream = stream}, d_in, n,
      d_bins);
}
// [/launch]

}  // namespace chapter05
