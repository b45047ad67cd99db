/// @file
/// Which launches and copies come before which: by their stream, by events, and by what the host
/// has waited for. Known only when faults are looked for.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <map>
#include <string>

#include "problems.h"

namespace cpu_device {

/// Per queue, up to which of its tasks something is known to come later.
using StreamClock = std::map<uint32_t, uint32_t>;
void join(StreamClock& into, const StreamClock& more);

/// What a cell's moment knows of the launch or copy that touched it.
struct PerformedOperation {
  uint32_t queue = 0, number = 0;
  std::string kernel;  ///< empty: a copy or a fill
  dim3 grid, block;
  Party caller;  ///< of a copy

  Party party(const void* pc, uint32_t block_number, uint16_t lane) const;
};

/// The task that is performed now; null clock: none is.
void begin_task(uint32_t queue, uint32_t number, const StreamClock* clock);
/// Notes the present operation; returns its number for moments. When everything noted so far comes
/// before it and all that may follow, `*forget` is set: all earlier moments may be forgotten.
uint32_t note_operation(PerformedOperation&& operation, bool* forget);
const PerformedOperation& performed_operation(uint32_t number);
/// Does the present operation come after that one?
bool comes_after(uint32_t number);

/// A copy or fill reads or writes device memory; false alarms of one stream are impossible.
void check_copy(const void* target, const void* source, size_t bytes, const Party& caller);

}  // namespace cpu_device
