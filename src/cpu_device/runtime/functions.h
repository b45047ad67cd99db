/// @file
/// What the chosen GPU can hold of a kernel.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "kernel.h"

namespace cpu_device {

/// Bytes of dynamic shared memory and threads that a block of the kernel may have.
size_t max_dynamic_shared(const Kernel& kernel);
int max_threads(const Kernel& kernel);
/// Blocks of a kernel that all multiprocessors together run at a time.
uint64_t resident_blocks(const Kernel& kernel, dim3 block, size_t dynamic_shared);

}  // namespace cpu_device
