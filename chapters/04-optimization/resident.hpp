#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <map>
#include <mutex>
#include <string>
#include <tuple>

#include "coalesce/error.hpp"
#include "coalesce/launch.hpp"

namespace chapter04 {

/// Blocks of a kernel that the current device holds at the same time.
/// \param kernel  address of a `__global__` function
/// \param threads of a block
/// \param shared  bytes of dynamic shared memory of a block
/// \param at_most blocks on one multiprocessor; 0: as many as fit
/// \throws coalesce::launch_error when not one fits
inline int resident_blocks(const void* kernel, int threads, std::size_t shared = 0,
                           int at_most = 0) {
  static std::mutex mutex;
  static std::map<std::tuple<const void*, int, std::size_t, int>, int> known;  // asking takes time
  int device = 0;
  COALESCE_CHECK(cudaGetDevice(&device));
  const std::lock_guard lock(mutex);
  int& fit = known[{kernel, threads, shared, device}];
  int sms = 0;
  COALESCE_CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device));
  if (fit == 0) {
    if (shared > 0)  // what a block gets without asking may be less
      COALESCE_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                          static_cast<int>(shared)));
    // [occupancy]
    COALESCE_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, kernel, threads, shared));
    // [/occupancy]
    if (fit == 0)
      throw coalesce::launch_error("not one block of " + std::to_string(threads) + " threads and " +
                                   std::to_string(shared) +
                                   " bytes of shared memory fits on a multiprocessor");
  }
  return sms * (at_most > 0 && at_most < fit ? at_most : fit);
}

/// Dynamic shared memory that nobody uses, so much that no more than `blocks` fit on a multiprocessor.
inline std::size_t ballast_for(int blocks) {
  if (blocks == 0) return 0;
  int device = 0, shared = 0, reserved = 0;
  COALESCE_CHECK(cudaGetDevice(&device));
  COALESCE_CHECK(
      cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerMultiprocessor, device));
  COALESCE_CHECK(
      cudaDeviceGetAttribute(&reserved, cudaDevAttrReservedSharedMemoryPerBlock, device));
  return static_cast<std::size_t>(shared / blocks - reserved) / 128 * 128;
}

}  // namespace chapter04
