/// @file
/// The report that CPU_DEVICE_REPORT asks for; its form is report.schema.json.
#pragma once

#include <cuda_runtime.h>

#include <optional>
#include <string>
#include <vector>

#include "trace.h"

namespace cpu_device {

struct LaunchReport {
  std::string kernel;
  dim3 grid, block;
  size_t static_shared = 0, dynamic_shared = 0;  ///< bytes a block
  std::optional<int> registers;                  ///< a thread; unset: unknown
  CountTable counts;
  std::vector<Example> examples;  ///< in the order of their block's execution
};

void add(Counts& to, const Counts& more);

/// Keeps a finished launch; the report is written when the program ends.
void add_to_report(LaunchReport&& launch);

}  // namespace cpu_device
