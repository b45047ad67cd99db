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

}  // namespace chapter04
