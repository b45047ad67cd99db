/// @file
/// The one device: its properties are those of the GPU chosen by CPU_DEVICE_AS.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "capture.h"
#include "device_heap.h"
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
size_t stack_limit = 1024;
unsigned device_flags = cudaDeviceMapHost;
cudaFuncCache cache_config = cudaFuncCachePreferNone;
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
  p->maxTexture1D = g.major >= 6 ? 131072 : 65536;
  p->maxTexture2D[0] = g.major >= 6 ? 131072 : 65536;
  p->maxTexture2D[1] = g.major >= 6 ? 65536 : 65535;
  std::fill_n(p->maxTexture3D, 3, g.major >= 6 ? 16384 : 2048);
  p->maxTexture1DLayered[0] = p->maxTexture2DLayered[0] = p->maxTexture2DLayered[1] =
      g.major >= 6 ? 32768 : 16384;
  p->maxTexture1DLayered[1] = p->maxTexture2DLayered[2] = 2048;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  p->clockRate = g.clock_khz;
  p->memoryClockRate = g.memory_clock_khz;
  p->deviceOverlap = 1;
  p->singleToDoublePrecisionPerfRatio = g.single_to_double;
#pragma GCC diagnostic pop
  return cudaSuccess;
}

cudaError_t cudaDeviceGetPCIBusId(char* id, int length, int device) {
  if (!id || length < 13) return record(cudaErrorInvalidValue);
  if (device != 0) return record(cudaErrorInvalidDevice);
  std::snprintf(id, static_cast<size_t>(length), "0000:01:00.0");
  return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize() {
  if (const cudaError_t error = cpu_device::refuse_device_wait()) return record(error);
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
      *value = cpu_device::heap_limit;
      return cudaSuccess;
    default:
      *value = 0;
      return record(cudaErrorInvalidValue);
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
      cpu_device::heap_limit = value;
      return cudaSuccess;
    case cudaLimitPersistingL2CacheSize:
    case cudaLimitMaxL2FetchGranularity:
      return cudaSuccess;
    default:
      return record(cudaErrorInvalidValue);
  }
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config) {
  cache_config = config;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  if (!config) return record(cudaErrorInvalidValue);
  *config = cache_config;
  return cudaSuccess;
}

// Since compute capability 5.0 the banks are four bytes wide, and the setter has no effect.
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  if (!config) return record(cudaErrorInvalidValue);
  *config = cudaSharedMemBankSizeFourByte;
  return cudaSuccess;
}

cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) {
  return cudaSuccess;
}

cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* id) {
  if (!device || !id) return record(cudaErrorInvalidValue);
  unsigned domain = 0, bus = 0, slot = 0;
  if (std::sscanf(id, "%x:%x:%x", &domain, &bus, &slot) != 3 &&
      (domain = 0, std::sscanf(id, "%x:%x", &bus, &slot) != 2)) {
    return record(cudaErrorInvalidValue);
  }
  if (domain != 0 || bus != 1 || slot != 0) return record(cudaErrorInvalidDevice);
  *device = 0;
  return cudaSuccess;
}

cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* properties) {
  if (!device || !properties) return record(cudaErrorInvalidValue);
  *device = 0;
  return cudaSuccess;
}

cudaError_t cudaSetValidDevices(int* devices, int count) {
  if (count < 0 || (count > 0 && !devices)) return record(cudaErrorInvalidValue);
  const bool known = std::all_of(devices, devices + count, [](int device) { return device == 0; });
  return record(known ? cudaSuccess : cudaErrorInvalidDevice);
}

cudaError_t cudaCtxResetPersistingL2Cache() {
  return cudaSuccess;
}

cudaError_t cudaDeviceEnablePeerAccess(int, unsigned int) {
  return record(cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceDisablePeerAccess(int) {
  return record(cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr, int, int) {
  return record(value ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
}

cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  if (!can) return record(cudaErrorInvalidValue);
  *can = 0;  // there is no second device, and none is a peer of itself
  return record(device || peer ? cudaErrorInvalidDevice : cudaSuccess);
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
