#pragma once

#include "coalesce/chapter.hpp"

namespace chapter06 {

/// Adds the rivals of the labs: cuBLAS for lab 5.2.
void add_peers(coalesce::chapter& chapter);

}  // namespace chapter06
