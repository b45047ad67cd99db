/// @file
/// Device memory: one reserved address range in which every allocation has pages of its own, with
/// an unreachable page behind it. "Is this device memory?" is one comparison.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace cpu_device {

class Shadow;
struct Party;
struct Variable;

enum class MemoryKind : uint8_t { kDevice, kManaged, kPinned, kHeap /* of kernels */ };
/// Is the host barred from it?
inline bool device_only(MemoryKind kind) {
  return kind == MemoryKind::kDevice || kind == MemoryKind::kHeap;
}

struct Allocation {
  uintptr_t base = 0;
  size_t bytes = 0;  ///< as asked for
  MemoryKind kind = MemoryKind::kDevice;
  bool freed = false;
  std::shared_ptr<const Party> caller;  ///< who allocated it, when faults are looked for
  std::shared_ptr<Shadow> shadow;       ///< null unless faults are looked for
};

/// The range of all allocations, for the fast test.
extern uintptr_t arena_base;
constexpr size_t kArenaBytes = size_t{1} << 40;
inline bool in_arena(uintptr_t address) {
  return address - arena_base < kArenaBytes;
}

/// Null when the memory is used up.
void* allocate(size_t bytes, MemoryKind kind);
/// Returns false when `pointer` is not the start of a live allocation of that kind; device memory
/// and managed memory are freed the same way.
bool release(void* pointer, MemoryKind kind);
/// The allocation (live or freed last) at or before `address`.
std::optional<Allocation> allocation_near(uintptr_t address);
/// The first one behind `address`.
std::optional<Allocation> allocation_behind(uintptr_t address);
/// The live allocation that holds all of [address, address + bytes).
std::optional<Allocation> allocation_of(const void* address, size_t bytes = 1);
/// Bytes that device memory has in all, and those not in use.
size_t memory_total();
size_t memory_free();
/// Grows with every release; caches of bounds are invalid when it has changed.
extern uint64_t memory_epoch;

/// What is known of a device variable's bytes.
Shadow* shadow_of(const Variable& variable);

/// Makes all device memory (not pinned, not managed) reachable or not.
void protect_device_memory(int how);
/// Adds a problem for each allocation that nobody freed.
void report_leaks();

/// Is all of it host memory that cudaHostRegister has handed to the device?
bool is_registered(const void* address, size_t bytes);
/// What cudaMallocAsync does: allocates device memory, or says why not.
cudaError_t allocate_device(void** pointer, size_t bytes);

/// Can a kernel read and write [address, address + bytes) as global memory?
bool device_can_access(const void* address, size_t bytes);

}  // namespace cpu_device
