#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace chapter05 {

/// Sum over the 32 lanes of a warp; right in lane 0. All lanes must call it.
// [warp_sum]
__device__ inline std::int64_t warp_sum(std::int64_t mine) {
  for (int distance = 16; distance > 0; distance /= 2)
    mine += __shfl_down_sync(0xffffffff, mine, distance);
  return mine;
}
// [/warp_sum]

/// Sum over the threads of a block; right in thread 0. All threads must call it, at most once a launch
/// unless a barrier lies between.
/// \tparam threads  size of the block, a multiple of 32
// [block_sum]
template <int threads>
__device__ std::int64_t block_sum(std::int64_t mine) {
  constexpr int warps = threads / 32;
  __shared__ std::int64_t partial[warps];
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int warp = static_cast<int>(threadIdx.x) / 32;

  mine = warp_sum(mine);
  if (lane == 0) partial[warp] = mine;
  __syncthreads();

  if (warp == 0) mine = warp_sum(lane < warps ? partial[lane] : 0);
  return mine;
}
// [/block_sum]

}  // namespace chapter05
