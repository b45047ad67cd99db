/// @file
/// Addresses of code to source lines, by addr2line over the program's debug information.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cpu_device {

struct SourceLine {
  std::string file = "??";
  int line = 0;
  bool users = false;  ///< not in the runtime, its headers or the system's
};

/// For each return address the innermost line that is the user's, not a header of ours.
std::vector<SourceLine> source_lines(const std::vector<const void*>& return_addresses);
/// "file:line" of one.
std::string source_line(const void* return_address);

/// Is it the address of an instruction of the program?
bool in_program_code(uintptr_t address);

}  // namespace cpu_device
