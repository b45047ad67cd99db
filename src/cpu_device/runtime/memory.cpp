#include "memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <string>

#include "errors.h"
#include "faults.h"
#include "host_guard.h"
#include "kernel.h"
#include "problems.h"
#include "settings.h"
#include "shadow.h"
#include "streams.h"

namespace cpu_device {

uintptr_t arena_base = 0;
uint64_t memory_epoch = 0;

namespace {

constexpr size_t kPage = 4096;

size_t round_up(size_t bytes) {
  return (bytes + kPage - 1) / kPage * kPage;
}

/// Unreachable addresses behind an allocation. When faults are looked for they are many, so that
/// an index which is wrong by a whole array does not reach the neighbour.
size_t gap(size_t span) {
  return checking() ? std::max(2 * span, size_t{16} << 20) : kPage;
}

/// What this machine can give, in bytes: nine tenths of the memory available at the start, within
/// the limit of a container.
size_t machine_memory() {
  size_t available = size_t{1} << 30;
  std::ifstream info("/proc/meminfo");
  for (std::string line; std::getline(info, line);) {
    unsigned long long kilobytes = 0;
    if (std::sscanf(line.c_str(), "MemAvailable: %llu kB", &kilobytes) == 1) {
      available = kilobytes * 1024;
    }
  }
  std::ifstream group("/sys/fs/cgroup/memory.max");
  size_t limit = 0;
  if (group >> limit) available = std::min(available, limit);
  return available / 10 * 9;
}

struct Arena {
  std::shared_mutex mutex;
  std::map<uintptr_t, Allocation> allocations;
  uintptr_t top = 0;
  size_t total = 0;
  size_t used = 0;

  Arena() {
    void* memory =
        mmap(nullptr, kArenaBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
      std::fprintf(stderr, "cpu_device: cannot reserve addresses for device memory (ulimit -v?)\n");
      std::exit(1);
    }
    arena_base = reinterpret_cast<uintptr_t>(memory);
    top = arena_base + gap(kPage);
    total = std::min(settings().gpu->memory_bytes, machine_memory());
  }
};

Arena& arena() {
  static Arena& once = *new Arena;  // alive until after every static destructor
  return once;
}

/// A freed range to use again, when the addresses have run out.
uintptr_t reuse(Arena& a, size_t span) {
  for (auto it = a.allocations.begin(); it != a.allocations.end(); ++it) {
    if (it->second.freed && round_up(it->second.bytes) >= span) {
      const uintptr_t base = it->first;
      a.allocations.erase(it);
      return base;
    }
  }
  return 0;
}

}  // namespace

void* allocate(size_t bytes, MemoryKind kind) {
  if (checking()) {
    static thread_local const FaultGuard guard;  // the host's faults are told as well
  }
  const OpenMemory then_closed;
  Arena& a = arena();
  std::unique_lock lock(a.mutex);
  const size_t span = round_up(bytes);
  if (bytes > a.total || span > a.total - a.used) return nullptr;
  uintptr_t base = a.top;
  if (a.top + span + gap(span) > arena_base + kArenaBytes) {
    base = reuse(a, span);
    if (!base) return nullptr;
  } else {
    a.top += span + gap(span);
  }
  void* pointer = reinterpret_cast<void*>(base);
  if (mprotect(pointer, span, PROT_READ | PROT_WRITE)) return nullptr;
  a.used += span;
  // The host writes to pinned and managed memory without our knowledge.
  std::shared_ptr<Shadow> shadow;
  std::shared_ptr<const Party> caller;
  if (checking()) {
    shadow = std::make_shared<Shadow>(base, bytes, kind != MemoryKind::kDevice);
    caller = std::make_shared<const Party>(this_call());
  }
  a.allocations[base] = {base, bytes, kind, false, std::move(caller), std::move(shadow)};
  return pointer;
}

bool release(void* pointer, bool pinned) {
  Arena& a = arena();
  std::unique_lock lock(a.mutex);
  const auto found = a.allocations.find(reinterpret_cast<uintptr_t>(pointer));
  if (found == a.allocations.end() || found->second.freed) return false;
  if ((found->second.kind == MemoryKind::kPinned) != pinned) return false;
  const size_t span = round_up(found->second.bytes);
  madvise(pointer, span, MADV_DONTNEED);
  mprotect(pointer, span, PROT_NONE);
  a.used -= span;
  found->second.freed = true;
  found->second.shadow = nullptr;
  ++memory_epoch;
  return true;
}

std::optional<Allocation> allocation_near(uintptr_t address) {
  Arena& a = arena();
  std::shared_lock lock(a.mutex);
  auto next = a.allocations.upper_bound(address);
  if (next == a.allocations.begin()) return std::nullopt;
  return std::prev(next)->second;
}

std::optional<Allocation> allocation_behind(uintptr_t address) {
  Arena& a = arena();
  std::shared_lock lock(a.mutex);
  const auto next = a.allocations.upper_bound(address);
  if (next == a.allocations.end()) return std::nullopt;
  return next->second;
}

void protect_device_memory(int how) {
  Arena& a = arena();
  std::shared_lock lock(a.mutex);
  for (const auto& [base, each] : a.allocations) {
    if (each.freed || each.kind != MemoryKind::kDevice) continue;
    mprotect(reinterpret_cast<void*>(base), round_up(each.bytes), how);
  }
}

void report_leaks() {
  if (context_error() != cudaSuccess || kernel_failed()) return;  // then freeing fails as well
  Arena& a = arena();
  std::shared_lock lock(a.mutex);
  for (const auto& [base, each] : a.allocations) {
    if (each.freed) continue;
    add_problem({"leak",
                 "",
                 *each.caller,
                 {},
                 std::to_string(each.bytes) + " bytes that were allocated here are never freed: " +
                     (each.kind == MemoryKind::kPinned ? "cudaFreeHost" : "cudaFree") +
                     " is missing"});
  }
}

std::optional<Allocation> allocation_of(const void* address, size_t bytes) {
  const auto where = reinterpret_cast<uintptr_t>(address);
  arena();
  if (!in_arena(where)) return std::nullopt;
  const auto near = allocation_near(where);
  if (!near || near->freed || where + bytes > near->base + near->bytes) return std::nullopt;
  return near;
}

size_t memory_total() {
  return arena().total;
}
size_t memory_free() {
  return arena().total - arena().used;
}

Shadow* shadow_of(const Variable& variable) {
  static std::map<uintptr_t, std::unique_ptr<Shadow>> shadows;  // one OS thread runs blocks
  const auto base = reinterpret_cast<uintptr_t>(variable.address);
  auto& shadow = shadows[base];
  if (!shadow) shadow = std::make_unique<Shadow>(base, variable.bytes, true);
  return shadow.get();
}

bool device_can_access(const void* address, size_t bytes) {
  if (allocation_of(address, bytes)) return true;
  const auto where = reinterpret_cast<uintptr_t>(address);
  const Variable* variable = variable_at(where);
  return variable &&
         where + bytes <= reinterpret_cast<uintptr_t>(variable->address) + variable->bytes;
}

}  // namespace cpu_device

// ---- the API

namespace {

using cpu_device::MemoryKind;
using cpu_device::record;

cudaError_t allocate_for(void** pointer, size_t bytes, MemoryKind kind) {
  if (const cudaError_t error = cpu_device::context_error()) return record(error);
  if (!pointer) return record(cudaErrorInvalidValue);
  *pointer = nullptr;
  if (bytes == 0) return cudaSuccess;
  *pointer = cpu_device::allocate(bytes, kind);
  return record(*pointer ? cudaSuccess : cudaErrorMemoryAllocation);
}

void report_wrong_free(void* pointer, bool pinned) {
  if (!cpu_device::checking()) return;
  const char* const name = pinned ? "cudaFreeHost" : "cudaFree";
  const auto near = cpu_device::allocation_near(reinterpret_cast<uintptr_t>(pointer));
  const bool begins = near && near->base == reinterpret_cast<uintptr_t>(pointer);
  cpu_device::Problem problem{"invalid free", "", cpu_device::this_call(), {}, ""};
  if (begins && near->freed) {
    problem.kind = "double free";
    problem.message = std::string(name) + " of memory that has been freed before";
  } else if (begins) {
    problem.message = std::string(name) + " of memory that " +
                      (pinned ? "was not allocated as pinned: cudaFree frees it"
                              : "was allocated as pinned: cudaFreeHost frees it");
  } else if (cpu_device::in_arena(reinterpret_cast<uintptr_t>(pointer))) {
    problem.message = std::string(name) + " of an address that no allocation begins with";
  } else {
    problem.message = std::string(name) + " of memory that the CUDA runtime did not allocate";
  }
  cpu_device::add_problem(std::move(problem));
}

cudaError_t release_for(void* pointer, bool pinned) {
  if (const cudaError_t error = cpu_device::synchronise_device()) return error;
  if (!pointer) return cudaSuccess;
  if (cpu_device::release(pointer, pinned)) return cudaSuccess;
  report_wrong_free(pointer, pinned);
  return record(cudaErrorInvalidValue);
}

}  // namespace

cudaError_t cpu_device::allocate_device(void** pointer, size_t bytes) {
  return allocate_for(pointer, bytes, MemoryKind::kDevice);
}

extern "C" {

cudaError_t cudaMalloc(void** pointer, size_t bytes) {
  return allocate_for(pointer, bytes, MemoryKind::kDevice);
}

cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
  if (!pitch) return record(cudaErrorInvalidValue);
  *pitch = (width + 511) / 512 * 512;  // bytes: the texture alignment of all GPUs known here
  if (height && *pitch > SIZE_MAX / height) return record(cudaErrorMemoryAllocation);
  return allocate_for(pointer, *pitch * height, MemoryKind::kDevice);
}

cudaError_t cudaMallocManaged(void** pointer, size_t bytes, unsigned int flags) {
  if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost) {
    return record(cudaErrorInvalidValue);
  }
  if (bytes == 0) return record(cudaErrorInvalidValue);
  return allocate_for(pointer, bytes, MemoryKind::kManaged);
}

cudaError_t cudaMallocHost(void** pointer, size_t bytes) {
  return allocate_for(pointer, bytes, MemoryKind::kPinned);
}

cudaError_t cudaHostAlloc(void** pointer, size_t bytes, unsigned int) {
  return allocate_for(pointer, bytes, MemoryKind::kPinned);
}

cudaError_t cudaFree(void* pointer) {
  return release_for(pointer, false);
}
cudaError_t cudaFreeHost(void* pointer) {
  return release_for(pointer, true);
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  if (const cudaError_t error = cpu_device::context_error()) return record(error);
  if (!pointer) return cudaSuccess;
  const auto found = cpu_device::allocation_of(pointer);
  if (!found || found->base != reinterpret_cast<uintptr_t>(pointer) ||
      found->kind == MemoryKind::kPinned) {
    report_wrong_free(pointer, false);
    return record(cudaErrorInvalidValue);
  }
  cpu_device::Operation free([pointer] { cpu_device::release(pointer, false); });
  free.must_run = true;
  return record(cpu_device::submit(stream, std::move(free)));
}

cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  if (const cudaError_t error = cpu_device::context_error()) return record(error);
  if (free) *free = cpu_device::memory_free();
  if (total) *total = cpu_device::memory_total();
  return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  if (const cudaError_t error = cpu_device::context_error()) return record(error);
  if (!attributes) return record(cudaErrorInvalidValue);
  void* address = const_cast<void*>(pointer);
  *attributes = {cudaMemoryTypeUnregistered, cudaInvalidDeviceId, nullptr, nullptr};
  if (const auto found = cpu_device::allocation_of(pointer)) {
    const bool device = found->kind == MemoryKind::kDevice;
    attributes->type = device                                ? cudaMemoryTypeDevice
                       : found->kind == MemoryKind::kManaged ? cudaMemoryTypeManaged
                                                             : cudaMemoryTypeHost;
    attributes->device = 0;
    attributes->devicePointer = address;
    attributes->hostPointer = device ? nullptr : address;
  } else if (cpu_device::is_registered(pointer, 1)) {
    *attributes = {cudaMemoryTypeHost, 0, address, address};
  } else if (const auto* variable = cpu_device::variable_at(reinterpret_cast<uintptr_t>(pointer))) {
    const bool managed = variable->kind == cpu_device::VariableKind::kManaged;
    *attributes = {managed ? cudaMemoryTypeManaged : cudaMemoryTypeDevice, 0, address,
                   managed ? address : nullptr};
  }
  return cudaSuccess;
}

cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, cudaMemLocation, unsigned int,
                                 cudaStream_t) {
  const auto found = cpu_device::allocation_of(pointer, bytes);
  return record(found && found->kind == MemoryKind::kManaged ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise, cudaMemLocation) {
  const auto found = cpu_device::allocation_of(pointer, bytes);
  return record(found && found->kind == MemoryKind::kManaged ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned int flags) {
  const auto found = cpu_device::allocation_of(host);
  const bool pinned =
      found ? found->kind != MemoryKind::kDevice : cpu_device::is_registered(host, 1);
  if (!device || flags || !pinned) return record(cudaErrorInvalidValue);
  *device = host;
  return cudaSuccess;
}

}  // extern "C"
