/// @file
/// How many blocks of a kernel a multiprocessor of the chosen GPU holds at a time, by NVIDIA's
/// rules: warps, registers and shared memory are handed out in fixed portions.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "gpus.h"

namespace cpu_device {

/// What a kernel asks of a multiprocessor.
struct Needs {
  int max_threads = 1024;         ///< a block, by the GPU and by __launch_bounds__
  int registers = 32;             ///< a thread
  size_t static_shared = 0;       ///< bytes a block
  size_t max_dynamic_shared = 0;  ///< bytes a block that the kernel permits
  bool opted_in = false;          ///< cudaFuncSetAttribute has set max_dynamic_shared
  int carveout = -1;              ///< preferred share of shared memory in percent, -1: any
  cudaFuncCache cache = cudaFuncCachePreferNone;
};

/// 0 when not even one block fits.
int resident_blocks(const Gpu& gpu, const Needs& needs, int threads, size_t dynamic_shared);

/// Dynamic shared memory that each of `blocks` resident blocks of `threads` threads can have, or
/// -1 when so many do not fit at all.
long available_dynamic_shared(const Gpu& gpu, const Needs& needs, int blocks, int threads);

}  // namespace cpu_device
