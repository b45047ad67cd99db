/// @file
/// Betrays a host that touches what it may not: device memory at any time, and memory of
/// asynchronous copies before they are performed. While the host's own code runs these pages are
/// unreachable. Only when faults are looked for.
#pragma once

#include <cstdint>

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

/// From now on, until unguard(task), the host may not read (or only not write) this memory.
void guard(const Task* task, const HostMemory& memory, bool against_reads, const Party& caller);
void unguard(const Task* task);

/// The host has touched an unreachable address. Returns true when it may go on.
bool host_touched(uintptr_t address, const void* pc, bool store);

}  // namespace cpu_device
