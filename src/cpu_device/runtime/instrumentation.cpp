#include "instrumentation.h"

#include <cuda_runtime.h>
#include <link.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "faults.h"
#include "kernel.h"
#include "memory.h"
#include "scheduler.h"
#include "trace.h"

namespace cpu_device {
namespace {

/// What this OS thread knows about addresses; all limits are [low, high).
struct AddressMap {
  uintptr_t tls_low = 0, tls_high = 0;        // __shared__ variables among others
  uintptr_t image_low = 0, image_high = 0;    // the program: constants and device variables
  uintptr_t cached_low = 0, cached_high = 0;  // the allocation of the last access
  uint64_t cached_epoch = ~uint64_t{0};

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

[[noreturn]] void refuse(Access access, uintptr_t address, size_t bytes, const void* pc) {
  char text[64];
  std::snprintf(text, sizeof text, "%s of %zu bytes",
                access == Access::kLoad    ? "load"
                : access == Access::kStore ? "store"
                                           : "atomic access",
                bytes);
  illegal_access(text, address, pc);
}

/// Is it a part of threadIdx, blockIdx, blockDim or gridDim?
bool is_builtin(uintptr_t address) {
  for (const uint3* each : {&cpu_device_thread_index, &cpu_device_block_index,
                            &cpu_device_block_dim, &cpu_device_grid_dim}) {
    if (address - reinterpret_cast<uintptr_t>(each) < sizeof *each) return true;
  }
  return false;
}

/// Checks an access and finds its space.
inline Space classify(AddressMap& map, Worker& worker, Access access, uintptr_t address,
                      size_t bytes, const void* pc) {
  if (address >= map.cached_low && address + bytes <= map.cached_high &&
      map.cached_epoch == memory_epoch) {
    return Space::kGlobal;
  }
  if (in_arena(address)) {
    const auto found = allocation_of(reinterpret_cast<void*>(address), bytes);
    if (!found) refuse(access, address, bytes, pc);
    map.cached_low = found->base;
    map.cached_high = found->base + found->bytes;
    map.cached_epoch = memory_epoch;
    return Space::kGlobal;
  }
  if (address >= map.tls_low && address < map.tls_high) {
    return is_builtin(address) ? Space::kOther : Space::kShared;
  }
  if (worker.fibers().contains(reinterpret_cast<void*>(address))) return Space::kOther;
  if (address - worker.launch->argument_base < worker.launch->argument_bytes) return Space::kOther;
  if (address >= map.image_low && address < map.image_high) {
    const Variable* variable = variable_at(address);
    return variable && variable->kind != VariableKind::kConstant ? Space::kGlobal : Space::kOther;
  }
  if (const Variable* variable = variable_at(address)) {  // of a shared library
    return variable->kind != VariableKind::kConstant ? Space::kGlobal : Space::kOther;
  }
  refuse(access, address, bytes, pc);
}

inline void on_access(Access access, const volatile void* pointer, size_t bytes, const void* pc) {
  Worker* worker = Worker::current();
  if (!worker || worker->current_lane < 0) return;
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  const Space space = classify(address_map(), *worker, access, address, bytes, pc);
  if (worker->trace && space != Space::kOther) {
    worker->trace->access(*worker, access, space, address, bytes, pc);
  }
}

}  // namespace

void on_atomic(const volatile void* address, size_t bytes, const void* pc) {
  if (instrumented()) on_access(Access::kAtomic, address, bytes, pc);
}

}  // namespace cpu_device

// ---- the callbacks of clang's ThreadSanitizer and coverage instrumentation

#define RETURN_ADDRESS __builtin_return_address(0)
#define LOAD(name, bytes)                                                             \
  void name(void* address) {                                                          \
    cpu_device::on_access(cpu_device::Access::kLoad, address, bytes, RETURN_ADDRESS); \
  }
#define STORE(name, bytes)                                                             \
  void name(void* address) {                                                           \
    cpu_device::on_access(cpu_device::Access::kStore, address, bytes, RETURN_ADDRESS); \
  }
#define LOAD_STORE(name, bytes)                                                        \
  void name(void* address) {                                                           \
    cpu_device::on_access(cpu_device::Access::kLoad, address, bytes,                   \
                          static_cast<char*>(RETURN_ADDRESS) - 1);                     \
    cpu_device::on_access(cpu_device::Access::kStore, address, bytes, RETURN_ADDRESS); \
  }
#define ALL_OF_SIZE(bytes)                             \
  LOAD(__tsan_read##bytes, bytes)                      \
  LOAD(__tsan_unaligned_read##bytes, bytes)            \
  LOAD(__tsan_volatile_read##bytes, bytes)             \
  LOAD(__tsan_unaligned_volatile_read##bytes, bytes)   \
  STORE(__tsan_write##bytes, bytes)                    \
  STORE(__tsan_unaligned_write##bytes, bytes)          \
  STORE(__tsan_volatile_write##bytes, bytes)           \
  STORE(__tsan_unaligned_volatile_write##bytes, bytes) \
  LOAD_STORE(__tsan_read_write##bytes, bytes)          \
  LOAD_STORE(__tsan_unaligned_read_write##bytes, bytes)

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
}

void __tsan_func_exit() {
  cpu_device::Worker* worker = cpu_device::Worker::current();
  if (worker && worker->trace) worker->trace->leave_function(worker->current_lane);
}

void __sanitizer_cov_trace_pc() {
  cpu_device::Worker* worker = cpu_device::Worker::current();
  if (worker && worker->trace) worker->trace->basic_block(*worker, RETURN_ADDRESS);
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
