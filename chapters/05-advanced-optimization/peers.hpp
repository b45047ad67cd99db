#pragma once

#include "coalesce/chapter.hpp"

namespace chapter05 {

/// Adds the rivals of the chapter's sums: CUB, and kernels that read and do next to nothing else.
void add_peers(coalesce::chapter& chapter);

}  // namespace chapter05
