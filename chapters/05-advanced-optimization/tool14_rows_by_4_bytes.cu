// Rows of a tile in shared memory: thread t adds up row t, and the pitch decides which banks it meets.
// Reads 4 bytes an element, writes 4 a tile. Any n from 0 on.
#include "coalesce/launch.hpp"
#include "steps.hpp"
#include "tool_warp_sum.hpp"

namespace chapter05 {
namespace {

// [kernel]
__global__ void tile_sums_kernel(const int* in, std::int64_t n, int pitch, int passes,
                                 std::uint32_t* sums) {
  alignas(16) __shared__ int tile[tile_side * 2 * tile_side];  // pitches up to 64
  const int t = threadIdx.x;                                   // one warp
  const std::int64_t first = blockIdx.x * std::int64_t{tile_side * tile_side};

  for (int row = 0; row < tile_side; ++row) {
    const std::int64_t i = first + row * tile_side + t;
    tile[row * pitch + t] = i < n ? in[i] : 0;
  }
  __syncthreads();

  std::uint32_t sum = 0;
  for (int pass = 0; pass < passes; ++pass) {
    for (int col = 0; col < tile_side; ++col) sum += tile[t * pitch + col];
    __syncthreads();  // the next pass reads again
  }

  sum = warp_sum(sum);
  if (t == 0) sums[blockIdx.x] = sum;
}
// [/kernel]

}  // namespace

// [launch]
void rows_by_4_bytes(int pitch, const int* d_in, std::int64_t n, std::uint32_t* d_sums,
                     cudaStream_t stream) {
  coalesce::launch(
      tile_sums_kernel,
      {.grid = coalesce::grid_for(n, tile_side * tile_side), .block = tile_side, .stream = stream},
      d_in, n, pitch, repeats(n), d_sums);
}
// [/launch]

}  // namespace chapter05
