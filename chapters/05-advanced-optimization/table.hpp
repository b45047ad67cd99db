#pragma once

#include <vector>

#include "coalesce/chapter.hpp"
#include "float_table.hpp"
#include "ladder_table.hpp"
#include "tools_table.hpp"

namespace chapter05 {

/// The chapter as data: its parts' families and steps, in reading order.
inline const coalesce::chapter& this_chapter() {
  static const coalesce::chapter data = [] {
    coalesce::chapter c{.slug = "05-advanced-optimization", .families = {}, .steps = {}};
    for (const auto& families : {tools_families(), ladder_families(), float_families()})
      c.families.insert(c.families.end(), families.begin(), families.end());
    for (const auto& steps : {tools_steps(), ladder_steps(), float_steps()})
      c.steps.insert(c.steps.end(), steps.begin(), steps.end());
    return c;
  }();
  return data;
}

}  // namespace chapter05
