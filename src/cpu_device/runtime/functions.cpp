/// @file
/// Attributes of kernels and the occupancy calculation for the chosen GPU.
#include <cuda_runtime.h>

#include <algorithm>

#include "functions.h"

#include "errors.h"
#include "kernel.h"
#include "occupancy.h"
#include "registers.h"
#include "settings.h"

namespace {

using cpu_device::record;

int registers_of(const cpu_device::Kernel& kernel) {
  return cpu_device::known_registers(kernel.symbol).value_or(cpu_device::kAssumedRegisters);
}

cpu_device::Needs needs_of(const cpu_device::Kernel& kernel) {
  const cpu_device::Gpu& gpu = *cpu_device::settings().gpu;
  cpu_device::Needs needs;
  needs.max_threads = gpu.max_threads_per_block;
  if (kernel.max_threads) needs.max_threads = std::min(needs.max_threads, kernel.max_threads);
  needs.registers = registers_of(kernel);
  needs.static_shared = kernel.static_shared;
  needs.opted_in = kernel.max_dynamic_shared != 0;
  needs.max_dynamic_shared = cpu_device::max_dynamic_shared(kernel);
  needs.carveout = kernel.carveout;
  needs.cache = kernel.cache;
  return needs;
}

}  // namespace

namespace cpu_device {

size_t max_dynamic_shared(const Kernel& kernel) {
  if (kernel.max_dynamic_shared) return kernel.max_dynamic_shared;
  const auto limit = static_cast<size_t>(settings().gpu->shared_per_block);
  return limit - std::min(limit, kernel.static_shared);
}

int max_threads(const Kernel& kernel) {
  return needs_of(kernel).max_threads;
}

uint64_t resident_blocks(const Kernel& kernel, dim3 block, size_t dynamic_shared) {
  const Gpu& gpu = *settings().gpu;
  const int threads = static_cast<int>(block.x * block.y * block.z);
  const int blocks = resident_blocks(gpu, needs_of(kernel), threads, dynamic_shared);
  return static_cast<uint64_t>(blocks) * static_cast<uint64_t>(gpu.multiprocessors);
}

}  // namespace cpu_device

extern "C" {

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  if (const cudaError_t error = cpu_device::context_error()) return record(error);
  const cpu_device::Kernel* kernel = cpu_device::find_kernel(function);
  if (!attributes) return record(cudaErrorInvalidValue);
  if (!kernel) return record(cudaErrorInvalidDeviceFunction);
  const cpu_device::Gpu& gpu = *cpu_device::settings().gpu;
  *attributes = {};
  attributes->sharedSizeBytes = kernel->static_shared;
  attributes->maxThreadsPerBlock = cpu_device::max_threads(*kernel);
  attributes->numRegs = registers_of(*kernel);
  attributes->ptxVersion = attributes->binaryVersion = gpu.major * 10 + gpu.minor;
  attributes->maxDynamicSharedSizeBytes = static_cast<int>(cpu_device::max_dynamic_shared(*kernel));
  attributes->preferredShmemCarveout = kernel->carveout;
  return cudaSuccess;
}

cudaError_t cudaFuncGetName(const char** name, const void* function) {
  const cpu_device::Kernel* kernel = cpu_device::find_kernel(function);
  if (!name) return record(cudaErrorInvalidValue);
  if (!kernel) return record(cudaErrorInvalidDeviceFunction);
  *name = kernel->symbol;
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

cudaError_t cudaFuncSetSharedMemConfig(const void* function, cudaSharedMemConfig) {
  return record(cpu_device::find_kernel(function) ? cudaSuccess : cudaErrorInvalidDeviceFunction);
}

cudaError_t cudaFuncSetCacheConfig(const void* function, cudaFuncCache cache) {
  cpu_device::Kernel* kernel = cpu_device::find_kernel(function);
  if (!kernel) return record(cudaErrorInvalidDeviceFunction);
  kernel->cache = cache;
  return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks,
                                                                   const void* function,
                                                                   int threads, size_t shared_bytes,
                                                                   unsigned int) {
  if (const cudaError_t error = cpu_device::context_error()) return record(error);
  const cpu_device::Kernel* kernel = cpu_device::find_kernel(function);
  if (!blocks || threads <= 0) return record(cudaErrorInvalidValue);
  if (!kernel) return record(cudaErrorInvalidDeviceFunction);
  *blocks = cpu_device::resident_blocks(*cpu_device::settings().gpu, needs_of(*kernel), threads,
                                        shared_bytes);
  return cudaSuccess;
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, const void* function,
                                                      int blocks, int threads) {
  if (const cudaError_t error = cpu_device::context_error()) return record(error);
  const cpu_device::Kernel* kernel = cpu_device::find_kernel(function);
  if (!bytes || threads <= 0) return record(cudaErrorInvalidValue);
  if (!kernel) return record(cudaErrorInvalidDeviceFunction);
  const long available = cpu_device::available_dynamic_shared(*cpu_device::settings().gpu,
                                                              needs_of(*kernel), blocks, threads);
  if (available < 0) return record(cudaErrorInvalidValue);
  *bytes = static_cast<size_t>(available);
  return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function,
                                                          int threads, size_t shared_bytes) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads,
                                                                shared_bytes, 0);
}

}  // extern "C"
