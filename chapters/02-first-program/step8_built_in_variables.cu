// Step 8, built-in variables: every thread of a three-dimensional grid numbers itself from gridDim,
// blockDim, blockIdx and threadIdx. Each number must come out exactly once.
#include <cstdio>
#include <vector>

#include "coalesce/device_buffer.hpp"
#include "coalesce/launch.hpp"
#include "steps.hpp"

namespace chapter02 {
namespace {

// [kernel]
__device__ unsigned number_in_grid() {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
  const unsigned z = blockIdx.z * blockDim.z + threadIdx.z;
  const unsigned width = gridDim.x * blockDim.x;
  const unsigned height = gridDim.y * blockDim.y;
  return (z * height + y) * width + x;
}

__global__ void count_visits_kernel(int* visits, int* warp_size) {
  visits[number_in_grid()] += 1;  // no other thread has this number
  if (number_in_grid() == 0) *warp_size = warpSize;
}
// [/kernel]

}  // namespace

// [launch]
int built_in_variables(std::int64_t) {
  const dim3 grid(3, 2, 2), block(8, 4, 2);
  const int threads = 3 * 2 * 2 * 8 * 4 * 2;
  coalesce::device_buffer<int> d_visits(threads), d_warp_size(1);
  d_visits.fill_bytes(0);
  coalesce::launch(count_visits_kernel, {grid, block}, d_visits.data(), d_warp_size.data());
  // [/launch]

  std::vector<int> visits(threads);
  int warp_size = 0;
  d_visits.copy_to_host(visits);
  d_warp_size.copy_to_host({&warp_size, 1});
  for (int i = 0; i < threads; ++i) {
    if (visits[i] == 1) continue;
    std::printf("number %d came out %d times\n", i, visits[i]);
    return 1;
  }
  std::printf("grid (3,2,2) of blocks (8,4,2): %d threads, each number came out once\n", threads);
  std::printf("warpSize is %d\n", warp_size);
  return 0;
}

}  // namespace chapter02
