#include "instrumentation.h"

#include <cuda_runtime.h>
#include <link.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "checker.h"
#include "faults.h"
#include "kernel.h"
#include "memory.h"
#include "problems.h"
#include "scheduler.h"
#include "trace.h"

namespace cpu_device {
namespace {

/// What this OS thread knows about addresses; all limits are [low, high).
struct AddressMap {
  uintptr_t tls_low = 0, tls_high = 0;      // __shared__ variables among others
  uintptr_t image_low = 0, image_high = 0;  // the program: constants and device variables
  uintptr_t data_low = 0, data_high = 0;    // of it what the host can write ...
  uintptr_t relro_low = 0, relro_high = 0;  // ... but for this
  struct Known {
    uintptr_t low = 0, high = 0;
    Shadow* shadow = nullptr;
  };
  std::array<Known, 4> known{};  // allocations of the last accesses
  size_t next_known = 0;
  uint64_t known_epoch = ~uint64_t{0};

  AddressMap() {
    dl_iterate_phdr(
        [](dl_phdr_info* info, size_t, void* pointer) {
          auto* map = static_cast<AddressMap*>(pointer);
          map->image_low = ~uintptr_t{0};
          for (int i = 0; i < info->dlpi_phnum; ++i) {
            const auto& header = info->dlpi_phdr[i];
            const uintptr_t start = info->dlpi_addr + header.p_vaddr;
            if (header.p_type == PT_LOAD) {
              map->image_low = std::min(map->image_low, start);
              map->image_high = std::max(map->image_high, start + header.p_memsz);
              if (header.p_flags & PF_W) {
                map->data_low = start;
                map->data_high = start + header.p_memsz;
              }
            } else if (header.p_type == PT_GNU_RELRO) {
              map->relro_low = start;
              map->relro_high = start + header.p_memsz;
            } else if (header.p_type == PT_TLS && info->dlpi_tls_data) {
              map->tls_low = reinterpret_cast<uintptr_t>(info->dlpi_tls_data);
              map->tls_high = map->tls_low + header.p_memsz;
            }
          }
          return 1;  // the main program comes first and is enough
        },
        this);
  }
};

AddressMap& address_map() {
  static thread_local AddressMap map;
  return map;
}

std::string describe(Access access, size_t bytes) {
  return std::string(access == Access::kLoad    ? "load of "
                     : access == Access::kStore ? "store of "
                                                : "atomic access of ") +
         std::to_string(bytes) + " bytes";
}

[[noreturn]] void refuse(Access access, uintptr_t address, size_t bytes, const void* pc) {
  illegal_access(describe(access, bytes).c_str(), address, pc);
}

/// Is it a part of threadIdx, blockIdx, blockDim or gridDim?
bool is_builtin(uintptr_t address) {
  for (const uint3* each : {&cpu_device_thread_index, &cpu_device_block_index,
                            &cpu_device_block_dim, &cpu_device_grid_dim}) {
    if (address - reinterpret_cast<uintptr_t>(each) < sizeof *each) return true;
  }
  return false;
}

/// Where an access goes, and what is known of the memory there when faults are looked for.
struct Target {
  Space space = Space::kOther;
  Shadow* shadow = nullptr;
};

Target of_variable(const Variable& variable) {
  if (variable.kind == VariableKind::kConstant) return {};
  return {Space::kGlobal, checking() ? shadow_of(variable) : nullptr};
}

/// Checks an access to device memory and remembers the allocation.
Target find_allocation(AddressMap& map, Access access, uintptr_t address, size_t bytes,
                       const void* pc) {
  const auto found = allocation_of(reinterpret_cast<void*>(address), bytes);
  if (!found) refuse(access, address, bytes, pc);
  auto& known = map.known[map.next_known++ % map.known.size()];
  known = {found->base, found->base + found->bytes, found->shadow.get()};
  return {Space::kGlobal, known.shadow};
}

/// Checks an access with regard to the bounds of shared arrays.
Target find_shared(Worker& worker, Access access, uintptr_t address, size_t bytes, const void* pc) {
  Shadow* const shadow = worker.checker->shared_shadow(address, bytes);
  if (!shadow) {
    access_beside_array(describe(access, bytes) + " of shared memory",
                        worker.checker->explain_shared(address), pc);
  }
  return {Space::kShared, shadow};
}

/// Checks an access that is neither to device memory nor to shared memory.
Target find_elsewhere(const AddressMap& map, Worker& worker, Access access, uintptr_t address,
                      size_t bytes, const void* pc) {
  if (worker.fibers().contains(reinterpret_cast<void*>(address))) {
    const auto miss = worker.checker ? worker.checker->locals(worker).missed(address, bytes) : "";
    if (!miss.empty()) access_beside_array(describe(access, bytes), miss, pc);
    const auto stack = reinterpret_cast<uintptr_t>(worker.running_fiber()->stack);
    if (worker.checker && address - stack >= kFiberStackBytes) {
      foreign_local_access(describe(access, bytes), pc);
    }
    return {};
  }
  if (address - worker.launch->argument_base < worker.launch->argument_bytes) return {};
  if (const Variable* variable = variable_at(address)) return of_variable(*variable);
  const bool hosts = address >= map.data_low && address < map.data_high &&
                     !(address >= map.relro_low && address < map.relro_high);
  if (address >= map.image_low && address < map.image_high && !hosts && access == Access::kLoad) {
    return {};  // a constant of the device code
  }
  if (is_registered(reinterpret_cast<void*>(address), bytes)) return {Space::kGlobal, nullptr};
  refuse(access, address, bytes, pc);
}

/// Checks an access and finds its target.
[[gnu::always_inline]] inline Target classify(Worker& worker, Access access, uintptr_t address,
                                              size_t bytes, const void* pc) {
  AddressMap& map = address_map();
  if (in_arena(address)) {
    if (map.known_epoch != memory_epoch) {
      map.known = {};
      map.known_epoch = memory_epoch;
    }
    for (const auto& each : map.known) {
      if (address >= each.low && address + bytes <= each.high) return {Space::kGlobal, each.shadow};
    }
    return find_allocation(map, access, address, bytes, pc);
  }
  if (address >= map.tls_low && address < map.tls_high) {
    if (is_builtin(address)) return {};
    if (!worker.checker) return {Space::kShared, nullptr};
    return find_shared(worker, access, address, bytes, pc);
  }
  return find_elsewhere(map, worker, access, address, bytes, pc);
}

/// Logs what the running lane does next; other lanes may run first.
inline void log(Worker& worker, Access access, Space space, uintptr_t address, size_t bytes,
                const void* pc) {
  Trace& trace = *worker.trace;
  if (trace.append(worker.current_lane, access, space, address, bytes, pc)) trace.make_room(worker);
}

/// @param relaxed  volatile, or atomic.
/// @param aligned  GPUs demand an address that is a multiple of the size.
[[gnu::always_inline]] inline void on_access(Access access, const volatile void* pointer,
                                             size_t bytes, const void* pc, bool relaxed = false,
                                             bool aligned = false, bool overwrites = false) {
  Worker* worker = Worker::current();
  if (!worker || worker->current_lane < 0) return;
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  if (bytes == 0) return;
  const Target target = classify(*worker, access, address, bytes, pc);
  if (target.space == Space::kOther) return;
  if (aligned && address % bytes) misaligned_access(describe(access, bytes), address, pc);
  // The trace may let other lanes run first, so it comes before the checks.
  if (worker->trace) log(*worker, access, target.space, address, bytes, pc);
  if (worker->checker && target.shadow) {
    const Where where = target.space == Space::kShared ? kInShared : kInGlobal;
    worker->checker->access(*worker, {access, relaxed, where, address, bytes, pc, overwrites},
                            *target.shadow);
  }
}

}  // namespace

void on_atomic(const volatile void* address, size_t bytes, const void* pc, bool overwrites) {
  if (instrumented()) on_access(Access::kAtomic, address, bytes, pc, true, true, overwrites);
}

}  // namespace cpu_device

// ---- the callbacks of clang's ThreadSanitizer and coverage instrumentation

#define RETURN_ADDRESS __builtin_return_address(0)
#define LOAD(name, bytes, relaxed, aligned)                                                   \
  void name(void* address) {                                                                  \
    cpu_device::on_access(cpu_device::Access::kLoad, address, bytes, RETURN_ADDRESS, relaxed, \
                          aligned);                                                           \
  }
#define STORE(name, bytes, relaxed, aligned)                                                   \
  void name(void* address) {                                                                   \
    cpu_device::on_access(cpu_device::Access::kStore, address, bytes, RETURN_ADDRESS, relaxed, \
                          aligned);                                                            \
  }
#define LOAD_STORE(name, bytes, aligned)                                                     \
  void name(void* address) {                                                                 \
    cpu_device::on_access(cpu_device::Access::kLoad, address, bytes,                         \
                          static_cast<char*>(RETURN_ADDRESS) - 1, false, aligned);           \
    cpu_device::on_access(cpu_device::Access::kStore, address, bytes, RETURN_ADDRESS, false, \
                          aligned);                                                          \
  }
#define ALL_OF_SIZE(bytes)                                          \
  LOAD(__tsan_read##bytes, bytes, false, true)                      \
  LOAD(__tsan_unaligned_read##bytes, bytes, false, false)           \
  LOAD(__tsan_volatile_read##bytes, bytes, true, true)              \
  LOAD(__tsan_unaligned_volatile_read##bytes, bytes, true, false)   \
  STORE(__tsan_write##bytes, bytes, false, true)                    \
  STORE(__tsan_unaligned_write##bytes, bytes, false, false)         \
  STORE(__tsan_volatile_write##bytes, bytes, true, true)            \
  STORE(__tsan_unaligned_volatile_write##bytes, bytes, true, false) \
  LOAD_STORE(__tsan_read_write##bytes, bytes, true)                 \
  LOAD_STORE(__tsan_unaligned_read_write##bytes, bytes, false)

extern "C" {

ALL_OF_SIZE(1)
ALL_OF_SIZE(2)
ALL_OF_SIZE(4)
ALL_OF_SIZE(8)
ALL_OF_SIZE(16)

void __tsan_init() {
  cpu_device::set_instrumented();
}
void __tsan_vptr_update(void*, void*) {}
void __tsan_vptr_read(void*) {}

void __tsan_func_entry(void*) {
  cpu_device::Worker* worker = cpu_device::Worker::current();
  if (worker && worker->trace) worker->trace->enter_function(worker->current_lane);
  if (worker && worker->checker) worker->checker->locals(*worker).enter_function();
}

void __tsan_func_exit() {
  cpu_device::Worker* worker = cpu_device::Worker::current();
  if (worker && worker->trace) worker->trace->leave_function(worker->current_lane);
  if (worker && worker->checker) worker->checker->locals(*worker).leave_function();
}

void __sanitizer_cov_trace_pc() {
  cpu_device::Worker* worker = cpu_device::Worker::current();
  if (!worker || !worker->trace) return;
  cpu_device::log(*worker, cpu_device::Access::kBlock, cpu_device::Space::kOther, 0, 0,
                  RETURN_ADDRESS);
}

void __tsan_read_range(void* address, size_t bytes) {
  cpu_device::on_access(cpu_device::Access::kLoad, address, bytes, RETURN_ADDRESS);
}

void __tsan_write_range(void* address, size_t bytes) {
  cpu_device::on_access(cpu_device::Access::kStore, address, bytes, RETURN_ADDRESS);
}

void* __tsan_memcpy(void* target, const void* source, size_t bytes) {
  cpu_device::on_access(cpu_device::Access::kLoad, source, bytes,
                        static_cast<char*>(RETURN_ADDRESS) - 1);
  cpu_device::on_access(cpu_device::Access::kStore, target, bytes, RETURN_ADDRESS);
  return std::memcpy(target, source, bytes);
}

void* __tsan_memmove(void* target, const void* source, size_t bytes) {
  cpu_device::on_access(cpu_device::Access::kLoad, source, bytes,
                        static_cast<char*>(RETURN_ADDRESS) - 1);
  cpu_device::on_access(cpu_device::Access::kStore, target, bytes, RETURN_ADDRESS);
  return std::memmove(target, source, bytes);
}

void* __tsan_memset(void* target, int value, size_t bytes) {
  cpu_device::on_access(cpu_device::Access::kStore, target, bytes, RETURN_ADDRESS);
  return std::memset(target, value, bytes);
}

}  // extern "C"
