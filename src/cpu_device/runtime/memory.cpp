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

MemoryKind freed_as(MemoryKind kind) {
  return kind == MemoryKind::kManaged ? MemoryKind::kDevice : kind;
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
    shadow = std::make_shared<Shadow>(base, bytes, !device_only(kind));
    caller = std::make_shared<const Party>(this_call());
  }
  a.allocations[base] = {base, bytes, kind, false, std::move(caller), std::move(shadow)};
  return pointer;
}

bool release(void* pointer, MemoryKind kind) {
  Arena& a = arena();
  std::unique_lock lock(a.mutex);
  const auto found = a.allocations.find(reinterpret_cast<uintptr_t>(pointer));
  if (found == a.allocations.end() || found->second.freed) return false;
  if (freed_as(found->second.kind) != freed_as(kind)) return false;
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
    if (each.freed || !device_only(each.kind)) continue;
    mprotect(reinterpret_cast<void*>(base), round_up(each.bytes), how);
  }
}

void report_leaks() {
  if (context_error() != cudaSuccess || kernel_failed()) return;  // then freeing fails as well
  Arena& a = arena();
  std::shared_lock lock(a.mutex);
  for (const auto& [base, each] : a.allocations) {
    if (each.freed || each.kind == MemoryKind::kHeap) continue;
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
