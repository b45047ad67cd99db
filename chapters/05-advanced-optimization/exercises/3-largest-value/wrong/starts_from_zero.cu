// Wrong: starts from 0, which is larger than any negative value.
#include <algorithm>

#include "coalesce/launch.hpp"
#include "exercise.hpp"

constexpr int block_threads = 256;
constexpr int warps = block_threads / 32;

__global__ void start_kernel(int* largest) {
  *largest = INT32_MIN;
}

// [kernel]
__global__ void largest_kernel(const int* values, std::int64_t n, int* largest) {
  const std::int64_t first = blockIdx.x * std::int64_t{block_threads} + threadIdx.x;
  const std::int64_t stride = gridDim.x * std::int64_t{block_threads};

  // [answer]
  int mine = 0;
  for (std::int64_t i = first; i < n; i += stride) mine = max(mine, values[i]);

  for (int distance = 16; distance > 0; distance /= 2)
    mine = max(mine, __shfl_down_sync(0xffffffff, mine, distance));

  __shared__ int of_warp[warps];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  if (lane == 0) of_warp[warp] = mine;
  __syncthreads();

  if (threadIdx.x > 0) return;
  for (int w = 1; w < warps; ++w) mine = max(mine, of_warp[w]);
  atomicMax(largest, mine);
  // [/answer]
}
// [/kernel]

void largest_value(const int* d_values, std::int64_t n, int* d_largest, cudaStream_t stream) {
  coalesce::launch(start_kernel, {.grid = 1, .block = 1, .stream = stream}, d_largest);
  const std::int64_t blocks = std::min<std::int64_t>(coalesce::ceil_div(n, block_threads), 64);
  coalesce::launch(
      largest_kernel,
      {.grid = static_cast<unsigned>(blocks), .block = block_threads, .stream = stream}, d_values,
      n, d_largest);
}
