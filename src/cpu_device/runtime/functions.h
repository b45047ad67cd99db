/// @file
/// What the chosen GPU can hold of a kernel.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "kernel.h"

namespace cpu_device {

/// Blocks of a kernel that all multiprocessors together run at a time.
uint64_t resident_blocks(const Kernel& kernel, dim3 block, size_t dynamic_shared);

}  // namespace cpu_device
