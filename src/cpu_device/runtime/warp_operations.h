/// @file
/// Shuffles, votes, matches and reductions: computed for a whole group of lanes at once.
#pragma once

#include "scheduler.h"

namespace cpu_device {

/// Completes one warp operation among the waiting lanes [first, last) for which everybody needed
/// has arrived. Returns whether there was one.
bool resolve_one_group(Worker& worker, int first, int last);

/// For messages: "__shfl_sync".
const char* warp_operation_name(int operation);

}  // namespace cpu_device
