/// @file
/// The memory that kernels themselves allocate.
#pragma once

#include <atomic>
#include <cstddef>

namespace cpu_device {

extern std::atomic<size_t> heap_limit;  ///< bytes; cudaLimitMallocHeapSize

}  // namespace cpu_device
