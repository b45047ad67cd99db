// Sum of a warp, through shared memory: the lanes exchange by memory, and say so.
// Reads 4 bytes an element, writes 4 for each 32 elements. Any n from 0 on.
#include "coalesce/launch.hpp"
#include "steps.hpp"

namespace chapter05 {
namespace {

constexpr int block_threads = 256;

// [kernel]
__global__ void warp_sum_kernel(const int* in, std::int64_t n, int* sums) {
  __shared__ int part[block_threads];
  const int t = threadIdx.x;
  const std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + t;

  int sum = i < n ? in[i] : 0;
  for (int distance = 16; distance > 0; distance /= 2) {
    part[t] = sum;
    __syncwarp();  // the lanes of this warp have written
    sum += part[t ^ distance];
    __syncwarp();  // and have read: the next turn may write
  }

  if (t % warp_lanes == 0 && i < n) sums[i / warp_lanes] = sum;
}
// [/kernel]

}  // namespace

// [launch]
void warp_sum_shared(const int* d_in, std::int64_t n, std::int32_t* d_sums, cudaStream_t stream) {
  coalesce::launch(
      warp_sum_kernel,
      {.grid = coalesce::grid_for(n, block_threads), .block = block_threads, .stream = stream},
      d_in, n, d_sums);
}
// [/launch]

}  // namespace chapter05
