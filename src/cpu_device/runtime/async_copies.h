/// @file
/// A thread's asynchronous copies to shared memory. Their accesses have moments of their own, which
/// become a part of the thread's order when it waits for their batch or their barrier object.
#pragma once

#include <cstdint>
#include <vector>

#include "handover.h"

namespace cpu_device {

struct AsyncCopies {
  struct Part {
    Where where;
    uint32_t number;      ///< of the moment
    uint32_t batch;       ///< of its thread, when no barrier waits for it
    const void* barrier;  ///< null: the thread itself waits
  };
  std::vector<Part> flying;
  uint32_t batch = 0;             ///< being filled
  bool copying = false;           ///< the thread's accesses are a copy's now
  const void* barrier = nullptr;  ///< which waits for this copy

  bool fresh() const { return flying.empty() && !batch && !copying; }
};

}  // namespace cpu_device
