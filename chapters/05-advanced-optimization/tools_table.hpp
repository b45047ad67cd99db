#pragma once

#include <vector>

#include "coalesce/chapter.hpp"
#include "steps.hpp"

namespace chapter05 {

inline std::vector<coalesce::family> tools_families() { return {}; }

inline std::vector<coalesce::step> tools_steps() { return {}; }

}  // namespace chapter05
