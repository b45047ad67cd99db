#pragma once

#include <cuda_runtime.h>

#include <cstdint>

/// \addtogroup launch
/// @{

namespace coalesce {

/// Number of a thread along one axis, widened to 64 bits before the product is formed.
///
/// `blockIdx.x * blockDim.x + threadIdx.x` wraps at 2^32 even when it is stored in 64 bits.
/// \param block      number of the block, blockIdx.x
/// \param block_size threads in a block along the axis, blockDim.x
/// \param thread     number of the thread in its block, threadIdx.x
__host__ __device__ constexpr std::int64_t widened_index(unsigned block, unsigned block_size,
                                                         unsigned thread) {
  return static_cast<std::int64_t>(block) * block_size + thread;
}

#if defined(__CUDACC__) || defined(__CUDA__)

/// Number of this thread along x in the whole grid, 0 to 2^41.
__device__ inline std::int64_t global_index_x() {
  return widened_index(blockIdx.x, blockDim.x, threadIdx.x);
}

/// Number of this thread along y in the whole grid.
__device__ inline std::int64_t global_index_y() {
  return widened_index(blockIdx.y, blockDim.y, threadIdx.y);
}

/// Number of threads along x in the whole grid: the step of a grid-stride loop.
__device__ inline std::int64_t grid_size_x() {
  return widened_index(gridDim.x, blockDim.x, 0);
}

#endif

}  // namespace coalesce

/// @}
