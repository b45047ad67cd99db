#pragma once

#include <vector>

#include "coalesce/chapter.hpp"

namespace lab52 {

/// The problems that this lab times, and the solution's functions that solve them.
inline std::vector<coalesce::family> families() {
  return {};
}
inline std::vector<coalesce::step> steps() {
  return {};
}

}  // namespace lab52
