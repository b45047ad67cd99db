/// @file
/// The one device: its properties are those of the GPU chosen by CPU_DEVICE_AS.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "errors.h"
#include "memory.h"
#include "printf_buffer.h"
#include "settings.h"
#include "streams.h"

namespace cpu_device {
size_t printf_limit();
void set_printf_limit(size_t bytes);
}  // namespace cpu_device

using cpu_device::record;

namespace {
size_t stack_limit = 1024, heap_limit = 8 << 20;
unsigned device_flags = cudaDeviceMapHost;
}  // namespace

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
  if (!count) return record(cudaErrorInvalidValue);
  cpu_device::settings();
  *count = 1;
  return cudaSuccess;
}

cudaError_t cudaGetDevice(int* device) {
  if (!device) return record(cudaErrorInvalidValue);
  *device = 0;
  return cudaSuccess;
}

cudaError_t cudaSetDevice(int device) {
  if (const cudaError_t error = cpu_device::context_error()) return record(error);
  return record(device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}

cudaError_t cudaInitDevice(int device, unsigned int, unsigned int) {
  return cudaSetDevice(device);
}

cudaError_t cudaSetDeviceFlags(unsigned int flags) {
  device_flags = flags;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceFlags(unsigned int* flags) {
  if (!flags) return record(cudaErrorInvalidValue);
  *flags = device_flags;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  if (!value) return record(cudaErrorInvalidValue);
  if (device != 0) return record(cudaErrorInvalidDevice);
  const cpu_device::Gpu& g = *cpu_device::settings().gpu;
  switch (static_cast<int>(attribute)) {
#define CPU_DEVICE_ATTRIBUTE(name, number, expression) \
  case number:                                         \
    *value = expression;                               \
    return cudaSuccess;
#include <cpu_device/attributes.inc>
#undef CPU_DEVICE_ATTRIBUTE
    default:
      return record(cudaErrorInvalidValue);
  }
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* p, int device) {
  if (!p) return record(cudaErrorInvalidValue);
  if (device != 0) return record(cudaErrorInvalidDevice);
  const cpu_device::Gpu& g = *cpu_device::settings().gpu;
  *p = {};
  std::snprintf(p->name, sizeof p->name, "CPU device (as %s)", g.name);
  p->totalGlobalMem = cpu_device::memory_total();
  p->sharedMemPerBlock = static_cast<size_t>(g.shared_per_block);
  p->regsPerBlock = g.registers_per_block;
  p->warpSize = 32;
  p->memPitch = 2147483647;
  p->maxThreadsPerBlock = g.max_threads_per_block;
  std::copy_n(g.max_block_dim, 3, p->maxThreadsDim);
  std::copy_n(g.max_grid_dim, 3, p->maxGridSize);
  p->totalConstMem = 65536;
  p->major = g.major;
  p->minor = g.minor;
  p->textureAlignment = p->surfaceAlignment = 512;
  p->texturePitchAlignment = 32;
  p->multiProcessorCount = g.multiprocessors;
  p->canMapHostMemory = p->concurrentKernels = p->unifiedAddressing = 1;
  p->ECCEnabled = g.ecc;
  p->pciBusID = 1;
  p->asyncEngineCount = g.copy_engines;
  p->memoryBusWidth = g.memory_bus_bits;
  p->l2CacheSize = g.l2_bytes;
  p->persistingL2CacheMaxSize = g.persisting_l2_bytes;
  p->maxThreadsPerMultiProcessor = g.threads_per_multiprocessor;
  p->streamPrioritiesSupported = p->globalL1CacheSupported = p->localL1CacheSupported = 1;
  p->sharedMemPerMultiprocessor = static_cast<size_t>(g.shared_per_multiprocessor);
  p->regsPerMultiprocessor = g.registers_per_multiprocessor;
  p->managedMemory = g.major >= 3;
  p->concurrentManagedAccess = p->computePreemptionSupported =
      p->canUseHostPointerForRegisteredMem = p->memoryPoolsSupported = g.major >= 6;
  p->cooperativeLaunch = g.major >= 6;
  p->sharedMemPerBlockOptin = static_cast<size_t>(g.shared_per_block_optin);
  p->maxBlocksPerMultiProcessor = g.blocks_per_multiprocessor;
  p->accessPolicyMaxWindowSize = g.major >= 8 ? 134213632 : 0;
  p->reservedSharedMemPerBlock = static_cast<size_t>(g.reserved_shared);
  p->hostRegisterSupported = 1;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetPCIBusId(char* id, int length, int device) {
  if (!id || length < 13) return record(cudaErrorInvalidValue);
  if (device != 0) return record(cudaErrorInvalidDevice);
  std::snprintf(id, static_cast<size_t>(length), "0000:01:00.0");
  return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize() {
  if (cpu_device::anything_capturing()) return record(cudaErrorStreamCaptureUnsupported);
  return cpu_device::synchronise_device();
}

cudaError_t cudaDeviceReset() {
  cpu_device::perform_everything();
  cpu_device::flush_printf();
  cpu_device::clear_errors();
  return cudaSuccess;
}

cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
  if (!value) return record(cudaErrorInvalidValue);
  switch (limit) {
    case cudaLimitStackSize:
      *value = stack_limit;
      return cudaSuccess;
    case cudaLimitPrintfFifoSize:
      *value = cpu_device::printf_limit();
      return cudaSuccess;
    case cudaLimitMallocHeapSize:
      *value = heap_limit;
      return cudaSuccess;
    default:
      *value = 0;
      return record(cudaErrorNotSupported);
  }
}

cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  switch (limit) {
    case cudaLimitStackSize:
      stack_limit = value;
      return cudaSuccess;
    case cudaLimitPrintfFifoSize:
      cpu_device::set_printf_limit(value);
      return cudaSuccess;
    case cudaLimitMallocHeapSize:
      heap_limit = value;
      return cudaSuccess;
    case cudaLimitPersistingL2CacheSize:
    case cudaLimitMaxL2FetchGranularity:
      return cudaSuccess;
    default:
      return record(cudaErrorNotSupported);
  }
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) {
  return cudaSuccess;
}

cudaError_t cudaDeviceCanAccessPeer(int* can, int, int) {
  if (!can) return record(cudaErrorInvalidValue);
  *can = 0;
  return record(cudaErrorInvalidDevice);  // there is no second device
}

cudaError_t cudaDriverGetVersion(int* version) {
  if (!version) return record(cudaErrorInvalidValue);
  *version = CUDART_VERSION;
  return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int* version) {
  return cudaDriverGetVersion(version);
}
cudaError_t cudaProfilerStart() {
  return cudaSuccess;
}
cudaError_t cudaProfilerStop() {
  return cudaSuccess;
}

}  // extern "C"
