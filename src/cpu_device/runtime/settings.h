/// @file
/// What the environment asks for (CPU_DEVICE_REPORT, _CHECK, _THREADS, _SEED, _AS), read once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "gpus.h"

namespace cpu_device {

struct Settings {
  std::string report;            ///< file for the report, empty: no report
  std::optional<bool> check;     ///< look for faults or not; unset: as the program was built
  int threads = 1;               ///< OS threads that run blocks
  std::optional<uint64_t> seed;  ///< shuffles block and lane order; unset: in order
  uint64_t requests = 0, request_block = 0;  ///< first requests of a line to keep, of which block
  std::string registers;                     ///< their number or a compiler's listing
  const Gpu* gpu = nullptr;                  ///< the GPU whose properties and limits are shown
};

/// Ends the program with a sentence and exit code 2.
[[noreturn]] void refuse(const std::string& sentence);
/// The whole of `text` as a number, or a sentence about the variable `name` and exit 2.
uint64_t number(const char* name, const char* text, uint64_t low, uint64_t high);

/// Ends the program with a sentence and exit code 2 when a value is wrong.
const Settings& settings();

}  // namespace cpu_device
