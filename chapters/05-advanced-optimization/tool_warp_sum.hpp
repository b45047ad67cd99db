#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace chapter05 {

/// The sum over the 32 lanes of a full warp, in lane 0. All lanes call it.
__device__ inline std::uint32_t warp_sum(std::uint32_t value) {
  for (int distance = 16; distance > 0; distance /= 2)
    value += __shfl_down_sync(0xffffffffu, value, distance);
  return value;
}

}  // namespace chapter05
