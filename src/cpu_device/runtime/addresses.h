/// @file
/// Where a wrong address lies, and what that means.
#pragma once

#include <cstdint>
#include <string>

namespace cpu_device {

struct Explanation {
  const char* kind;   ///< of problem
  std::string where;  ///< "4 bytes past the end of an allocation of 400 bytes"
  const char* cause;  ///< the usual one
  std::string sentence() const { return *cause ? where + ": " + cause : where; }
};

Explanation explain(uintptr_t address);

}  // namespace cpu_device
