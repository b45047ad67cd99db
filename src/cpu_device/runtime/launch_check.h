/// @file
/// What the checker knows of the launch that runs: the moments of accesses to global memory and
/// the atomic variables there. Only one launch runs at a time, on one OS thread.
#pragma once

#include <map>
#include <unordered_map>

#include "handover.h"
#include "messages.h"
#include "moments.h"
#include "problems.h"
#include "scheduler.h"

namespace cpu_device {

struct LaunchCheck {
  uint32_t operation = 0;
  bool fences = false;  ///< some thread has fenced
  Moments moments;
  std::unordered_map<uintptr_t, SyncVariable> sync_variables;
  Messages messages;
};

LaunchCheck& launch_check();

/// Code addresses as 30-bit numbers, for cells: offsets in the program. Two bits say more.
constexpr uint32_t kAtomicBit = uint32_t{1} << 31;    ///< an atomic, or a volatile access
constexpr uint32_t kVolatileBit = uint32_t{1} << 30;  ///< no atomic, but volatile
uint32_t encode_code(const void* pc);
const void* decode_code(uint32_t code);

}  // namespace cpu_device
