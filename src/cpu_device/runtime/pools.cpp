/// @file
/// Memory pools. Nothing is kept back for later: what is freed is free, so "reserved" is "used".
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <unordered_map>
#include <unordered_set>

#include "errors.h"
#include "memory.h"

struct CUmemPoolHandle_st {
  uint64_t release_threshold = 0;
  uint64_t highest = 0;  ///< bytes in use at a time since the last reset
  int reuse[3] = {1, 1, 1};
  std::unordered_map<uintptr_t, size_t> allocations;

  /// Bytes in use; forgets what has been freed.
  uint64_t used() {
    uint64_t bytes = 0;
    for (auto it = allocations.begin(); it != allocations.end();) {
      const auto found = cpu_device::allocation_of(reinterpret_cast<void*>(it->first));
      if (found && found->base == it->first) {
        bytes += it->second;
        ++it;
      } else {
        it = allocations.erase(it);
      }
    }
    highest = std::max(highest, bytes);
    return bytes;
  }
};

namespace {

using cpu_device::record;

struct Pools {
  std::mutex mutex;
  CUmemPoolHandle_st standard;
  cudaMemPool_t current = &standard;
  std::unordered_set<cudaMemPool_t> made;

  bool known(cudaMemPool_t pool) const { return pool == &standard || made.count(pool) != 0; }
};

Pools& pools() {
  static Pools& once = *new Pools;
  return once;
}

cudaError_t give(cudaMemPool_t* pool, int device, cudaMemPool_t which) {
  if (!pool) return record(cudaErrorInvalidValue);
  if (device != 0) return record(cudaErrorInvalidDevice);
  *pool = which;
  return cudaSuccess;
}

}  // namespace

extern "C" {

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  return give(pool, device, &pools().standard);
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  return give(pool, device, pools().current);
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  if (device != 0) return record(cudaErrorInvalidDevice);
  std::lock_guard lock(pools().mutex);
  if (!pools().known(pool)) return record(cudaErrorInvalidValue);
  pools().current = pool;
  return cudaSuccess;
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  if (!pool || !properties || properties->allocType != cudaMemAllocationTypePinned ||
      properties->location.type != cudaMemLocationTypeDevice || properties->location.id != 0) {
    return record(cudaErrorInvalidValue);
  }
  *pool = new CUmemPoolHandle_st;
  std::lock_guard lock(pools().mutex);
  pools().made.insert(*pool);
  return cudaSuccess;
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  std::lock_guard lock(pools().mutex);
  if (!pools().made.erase(pool)) return record(cudaErrorInvalidValue);
  if (pools().current == pool) pools().current = &pools().standard;
  delete pool;
  return cudaSuccess;
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  std::lock_guard lock(pools().mutex);
  if (!pools().known(pool) || !value) return record(cudaErrorInvalidValue);
  if (attribute >= cudaMemPoolReuseFollowEventDependencies &&
      attribute <= cudaMemPoolReuseAllowInternalDependencies) {
    std::memcpy(&pool->reuse[attribute - 1], value, sizeof(int));
    return cudaSuccess;
  }
  uint64_t bytes;
  std::memcpy(&bytes, value, sizeof bytes);
  if (attribute == cudaMemPoolAttrReleaseThreshold) {
    pool->release_threshold = bytes;
    return cudaSuccess;
  }
  const bool high =
      attribute == cudaMemPoolAttrReservedMemHigh || attribute == cudaMemPoolAttrUsedMemHigh;
  if (!high || bytes != 0) return record(cudaErrorInvalidValue);  // these can only be reset
  pool->highest = 0;
  return cudaSuccess;
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  std::lock_guard lock(pools().mutex);
  if (!pools().known(pool) || !value) return record(cudaErrorInvalidValue);
  if (attribute >= cudaMemPoolReuseFollowEventDependencies &&
      attribute <= cudaMemPoolReuseAllowInternalDependencies) {
    std::memcpy(value, &pool->reuse[attribute - 1], sizeof(int));
    return cudaSuccess;
  }
  const uint64_t used = pool->used();
  uint64_t bytes = 0;
  switch (attribute) {
    case cudaMemPoolAttrReleaseThreshold:
      bytes = pool->release_threshold;
      break;
    case cudaMemPoolAttrReservedMemCurrent:
    case cudaMemPoolAttrUsedMemCurrent:
      bytes = used;
      break;
    case cudaMemPoolAttrReservedMemHigh:
    case cudaMemPoolAttrUsedMemHigh:
      bytes = pool->highest;
      break;
    default:
      return record(cudaErrorInvalidValue);
  }
  std::memcpy(value, &bytes, sizeof bytes);
  return cudaSuccess;
}

/// There is one device, and it may always.
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* access,
                                 size_t count) {
  std::lock_guard lock(pools().mutex);
  return record(pools().known(pool) && (access || !count) ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t) {
  std::lock_guard lock(pools().mutex);
  return record(pools().known(pool) ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaMallocFromPoolAsync(void** pointer, size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t) {
  std::lock_guard lock(pools().mutex);
  if (!pools().known(pool)) return record(cudaErrorInvalidValue);
  const cudaError_t error = cpu_device::allocate_device(pointer, bytes);
  if (error == cudaSuccess && *pointer) {
    pool->allocations[reinterpret_cast<uintptr_t>(*pointer)] = bytes;
    pool->used();
  }
  return error;
}

cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t stream) {
  return cudaMallocFromPoolAsync(pointer, bytes, pools().current, stream);
}

}  // extern "C"
