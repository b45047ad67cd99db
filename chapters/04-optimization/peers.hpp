#pragma once

#include "coalesce/chapter.hpp"

namespace chapter04 {

/// Adds the rivals of the chapter's families: libraries' answers to the same problems. GPU only.
void add_peers(coalesce::chapter& c);

}  // namespace chapter04
