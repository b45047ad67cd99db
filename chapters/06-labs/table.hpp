#pragma once

#include "5.1-vector-add/rows.hpp"
#include "5.2-matmul/rows.hpp"
#include "5.3-launch-shape/rows.hpp"
#include "5.4-memory-kinds/rows.hpp"
#include "coalesce/chapter.hpp"

namespace chapter06 {

/// The labs as data: their solutions' families and steps, in the labs' order.
inline const coalesce::chapter& this_chapter() {
  static const coalesce::chapter data = [] {
    coalesce::chapter c{.slug = "06-labs", .families = {}, .steps = {}};
    for (const auto& families :
         {lab51::families(), lab52::families(), lab53::families(), lab54::families()})
      c.families.insert(c.families.end(), families.begin(), families.end());
    for (const auto& steps : {lab51::steps(), lab52::steps(), lab53::steps(), lab54::steps()})
      c.steps.insert(c.steps.end(), steps.begin(), steps.end());
    return c;
  }();
  return data;
}

}  // namespace chapter06
