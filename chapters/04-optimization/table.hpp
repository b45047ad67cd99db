#pragma once

#include "coalesce/chapter.hpp"
#include "copies_table.hpp"
#include "matrix_add_table.hpp"
#include "memory_table.hpp"
#include "one_block_table.hpp"

namespace chapter04 {

/// The chapter as data: its parts' families and steps, in reading order.
inline const coalesce::chapter& this_chapter() {
  static const coalesce::chapter data = [] {
    coalesce::chapter c{.slug = "04-optimization", .families = {}, .steps = {}};
    for (const auto& families :
         {one_block_families(), memory_families(), copies_families(), matrix_add_families()})
      c.families.insert(c.families.end(), families.begin(), families.end());
    for (const auto& steps :
         {one_block_steps(), memory_steps(), copies_steps(), matrix_add_steps()})
      c.steps.insert(c.steps.end(), steps.begin(), steps.end());
    return c;
  }();
  return data;
}

}  // namespace chapter04
