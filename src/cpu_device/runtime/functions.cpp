/// @file
/// Attributes of kernels and the occupancy calculation for the chosen GPU.
#include <cuda_runtime.h>

#include <algorithm>

#include "functions.h"

#include "errors.h"
#include "kernel.h"
#include "settings.h"

namespace {

using cpu_device::record;

/// No register allocation takes place here; 32 a thread is what small kernels need on GPUs.
constexpr int kRegisters = 32;

int round_up(int value, int to) {
  return (value + to - 1) / to * to;
}

/// Blocks of `threads` threads that one multiprocessor holds at a time.
int resident_blocks(const cpu_device::Gpu& gpu, int threads, size_t shared) {
  const int warps = (threads + 31) / 32;
  const int by_threads = gpu.threads_per_multiprocessor / 32 / warps;
  const int warp_registers = round_up(kRegisters * 32, gpu.register_granularity);
  const int block_registers = round_up(warps, gpu.warp_granularity) * warp_registers;
  const int by_registers = gpu.registers_per_multiprocessor / block_registers;
  int by_shared = gpu.blocks_per_multiprocessor;
  const int block_shared =
      round_up(static_cast<int>(shared) + gpu.reserved_shared, gpu.shared_granularity);
  if (block_shared) by_shared = gpu.shared_per_multiprocessor / block_shared;
  return std::min({by_threads, by_registers, by_shared, gpu.blocks_per_multiprocessor});
}

}  // namespace

uint64_t cpu_device::resident_blocks(const Kernel& kernel, dim3 block, size_t dynamic_shared) {
  const Gpu& gpu = *settings().gpu;
  const int threads = static_cast<int>(block.x * block.y * block.z);
  const int blocks = ::resident_blocks(gpu, threads, kernel.static_shared + dynamic_shared);
  return static_cast<uint64_t>(blocks) * static_cast<uint64_t>(gpu.multiprocessors);
}

extern "C" {

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  if (const cudaError_t error = cpu_device::context_error()) return record(error);
  const cpu_device::Kernel* kernel = cpu_device::find_kernel(function);
  if (!attributes) return record(cudaErrorInvalidValue);
  if (!kernel) return record(cudaErrorInvalidDeviceFunction);
  const cpu_device::Gpu& gpu = *cpu_device::settings().gpu;
  *attributes = {};
  attributes->sharedSizeBytes = kernel->static_shared;
  attributes->maxThreadsPerBlock = gpu.max_threads_per_block;
  attributes->numRegs = kRegisters;
  attributes->ptxVersion = attributes->binaryVersion = gpu.major * 10 + gpu.minor;
  attributes->maxDynamicSharedSizeBytes =
      kernel->max_dynamic_shared
          ? static_cast<int>(kernel->max_dynamic_shared)
          : std::max(0, gpu.shared_per_block - static_cast<int>(kernel->static_shared));
  attributes->preferredShmemCarveout = kernel->carveout;
  return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
  if (const cudaError_t error = cpu_device::context_error()) return record(error);
  cpu_device::Kernel* kernel = cpu_device::find_kernel(function);
  if (!kernel) return record(cudaErrorInvalidDeviceFunction);
  const int most =
      cpu_device::settings().gpu->shared_per_block_optin - static_cast<int>(kernel->static_shared);
  if (attribute == cudaFuncAttributeMaxDynamicSharedMemorySize) {
    if (value < 0 || value > most) return record(cudaErrorInvalidValue);
    kernel->max_dynamic_shared = static_cast<size_t>(value);
    return cudaSuccess;
  }
  if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout) {
    if (value < -1 || value > 100) return record(cudaErrorInvalidValue);
    kernel->carveout = value;
    return cudaSuccess;
  }
  return record(cudaErrorInvalidValue);
}

cudaError_t cudaFuncSetCacheConfig(const void* function, cudaFuncCache) {
  return record(cpu_device::find_kernel(function) ? cudaSuccess : cudaErrorInvalidDeviceFunction);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks,
                                                                   const void* function,
                                                                   int threads, size_t shared_bytes,
                                                                   unsigned int) {
  if (const cudaError_t error = cpu_device::context_error()) return record(error);
  const cpu_device::Kernel* kernel = cpu_device::find_kernel(function);
  if (!blocks || threads <= 0) return record(cudaErrorInvalidValue);
  if (!kernel) return record(cudaErrorInvalidDeviceFunction);
  const cpu_device::Gpu& gpu = *cpu_device::settings().gpu;
  *blocks = threads > gpu.max_threads_per_block
                ? 0
                : resident_blocks(gpu, threads, kernel->static_shared + shared_bytes);
  return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function,
                                                          int threads, size_t shared_bytes) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads,
                                                                shared_bytes, 0);
}

}  // extern "C"
