/// @file
/// Host memory that the device may use: cudaHostRegister.
#include <cuda_runtime.h>

#include <map>
#include <mutex>

#include "errors.h"
#include "memory.h"
#include "streams.h"

namespace cpu_device {
namespace {

struct Ranges {
  std::mutex mutex;
  std::map<uintptr_t, size_t> bytes;  ///< by address
};

Ranges& ranges() {
  static Ranges& once = *new Ranges;
  return once;
}

/// The range that reaches furthest to the left of `end`, if it reaches `address`.
bool overlaps(const Ranges& all, uintptr_t address, uintptr_t end) {
  const auto next = all.bytes.lower_bound(end);
  if (next == all.bytes.begin()) return false;
  const auto& [begin, bytes] = *std::prev(next);
  return begin + bytes > address;
}

}  // namespace

bool is_registered(const void* address, size_t bytes) {
  const auto where = reinterpret_cast<uintptr_t>(address);
  std::lock_guard lock(ranges().mutex);
  const auto next = ranges().bytes.upper_bound(where);
  if (next == ranges().bytes.begin()) return false;
  const auto& [begin, size] = *std::prev(next);
  return where + bytes <= begin + size;
}

}  // namespace cpu_device

using cpu_device::record;

extern "C" {

cudaError_t cudaHostRegister(void* pointer, size_t bytes, unsigned int flags) {
  if (const cudaError_t error = cpu_device::context_error()) return record(error);
  if (!pointer || !bytes || flags > 15) return record(cudaErrorInvalidValue);
  const auto where = reinterpret_cast<uintptr_t>(pointer);
  if (cpu_device::allocation_of(pointer)) return record(cudaErrorInvalidValue);
  auto& all = cpu_device::ranges();
  std::lock_guard lock(all.mutex);
  if (cpu_device::overlaps(all, where, where + bytes)) {
    return record(cudaErrorHostMemoryAlreadyRegistered);
  }
  all.bytes[where] = bytes;
  return cudaSuccess;
}

cudaError_t cudaHostUnregister(void* pointer) {
  if (const cudaError_t error = cpu_device::synchronise_device()) return error;
  if (!pointer) return record(cudaErrorInvalidValue);
  auto& all = cpu_device::ranges();
  std::lock_guard lock(all.mutex);
  const bool was = all.bytes.erase(reinterpret_cast<uintptr_t>(pointer)) != 0;
  if (was) return cudaSuccess;
  const bool ours = cpu_device::allocation_of(pointer).has_value();
  return record(ours ? cudaErrorInvalidValue : cudaErrorHostMemoryNotRegistered);
}

}  // extern "C"
