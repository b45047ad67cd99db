// Evidence: a grid may have 2^31 - 1 blocks along x; y and z stop at 65535; and it has three dimensions.
#include <climits>
#include <cstdio>

#include "../steps.hpp"
#include "coalesce/device_buffer.hpp"
#include "coalesce/error.hpp"

namespace chapter02 {
namespace {

// [kernel]
__global__ void count_blocks_kernel(int* blocks) {
  if (threadIdx.x == 0) atomicAdd(blocks, 1);
}
// [/kernel]

/// Launches the grid and says how many blocks ran: -1 when the launch was refused.
int blocks_run(dim3 grid) {
  coalesce::device_buffer<int> d_blocks(1);
  d_blocks.fill_bytes(0);
  count_blocks_kernel<<<grid, 1>>>(
      d_blocks.data());  // not checked by launch(): the runtime shall refuse
  if (cudaGetLastError() != cudaSuccess) return -1;
  int blocks = 0;
  d_blocks.copy_to_host({&blocks, 1});
  return blocks;
}

bool expect_blocks(dim3 grid, int wanted) {
  const int got = blocks_run(grid);
  std::printf("grid (%u, %u, %u): ", grid.x, grid.y, grid.z);
  if (got < 0)
    std::printf("refused\n");
  else
    std::printf("%d blocks ran\n", got);
  return got == wanted;
}

}  // namespace

// [launch]
int grid_limits(std::int64_t) {
  int device = 0, max_x = 0;
  COALESCE_CHECK(cudaGetDevice(&device));
  COALESCE_CHECK(cudaDeviceGetAttribute(&max_x, cudaDevAttrMaxGridDimX, device));
  std::printf("largest grid along x: %d\n", max_x);

  bool right = max_x == INT_MAX;
  right &= expect_blocks({65536, 1, 1}, 65536);  // one more than the old limit
  right &= expect_blocks({1, 65535, 1}, 65535);
  right &= expect_blocks({1, 65536, 1}, -1);
  right &= expect_blocks({1, 1, 65536}, -1);
  right &= expect_blocks({4, 3, 2}, 24);  // three dimensions
  return right ? 0 : 1;
}
// [/launch]

}  // namespace chapter02
