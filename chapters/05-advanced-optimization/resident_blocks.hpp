#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "coalesce/error.hpp"

namespace chapter05 {

/// Blocks of a kernel that the current device holds at a time: blocks an SM, times SMs.
/// \param kernel  a `__global__` function
/// \param threads threads in a block
/// \throws coalesce::cuda_error
// [resident]
template <class Kernel>
std::int64_t resident_blocks(Kernel* kernel, int threads) {
  int device = 0, sms = 0, blocks_per_sm = 0;
  COALESCE_CHECK(cudaGetDevice(&device));
  COALESCE_CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device));
  COALESCE_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_per_sm, kernel, threads,
                                                               std::size_t{0}));
  return std::int64_t{sms} * blocks_per_sm;
}
// [/resident]

}  // namespace chapter05
