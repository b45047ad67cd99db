/// @file
/// Betrays a host that touches what it may not: device memory at any time, memory of asynchronous
/// copies before they are performed, and managed or mapped memory of which a pending kernel uses
/// the same bytes. While the host's own code runs these pages are unreachable. Only when faults
/// are looked for.
#pragma once

#include <cstdint>
#include <vector>

#include "problems.h"
#include "queue.h"

namespace cpu_device {

/// While alive the runtime itself may touch everything. May be nested.
class OpenMemory {
 public:
  OpenMemory();
  ~OpenMemory();
  OpenMemory(const OpenMemory&) = delete;
  OpenMemory& operator=(const OpenMemory&) = delete;
};

/// What a pending task does with memory of the host.
enum class HostUse : uint8_t {
  kReads,   ///< a copy: the host may not write
  kWrites,  ///< a copy: the host may not even read
  kUnknown  ///< a kernel: it will turn out which bytes it reads and writes
};

/// The host's first load, or first store, of a page that a pending kernel may use.
struct HostTouch {
  uintptr_t address;
  bool store;
  Party caller;
};

/// From now on, until unguard(task), the host may not touch this memory unseen.
void guard(const Task* task, const HostMemory& memory, HostUse use, const Party& caller);
/// The task is performed now.
void unguard(const Task* task);
/// What the host has touched between the submission of the task performed now and now.
const std::vector<HostTouch>& early_touches();

/// The host frees memory; tells when a pending task uses it.
void check_early_free(const void* pointer);
/// The host has touched an address of device memory that nothing explains better.
void report_stray_host(uintptr_t address, const void* pc, bool store);
/// The host has touched an unreachable address. Returns true when it may go on.
bool host_touched(uintptr_t address, const void* pc, bool store);

}  // namespace cpu_device
