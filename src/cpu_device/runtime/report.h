/// @file
/// The report that CPU_DEVICE_REPORT asks for; its form is report.schema.json.
#pragma once

#include <cuda_runtime.h>

#include <string>

#include "trace.h"

namespace cpu_device {

struct LaunchReport {
  std::string kernel;
  dim3 grid, block;
  size_t static_shared = 0, dynamic_shared = 0;  ///< bytes a block
  CountTable counts;
};

/// Something wrong that a kernel did.
struct Problem {
  std::string kind;  ///< "illegal access", "deadlock" ...
  std::string kernel;
  const void* pc = nullptr;
  uint3 thread, block;
  std::string message;
};

void add(Counts& to, const Counts& more);

/// Keeps a finished launch; the report is written when the program ends.
void add_to_report(LaunchReport&& launch);
void add_to_report(Problem&& problem);

}  // namespace cpu_device
