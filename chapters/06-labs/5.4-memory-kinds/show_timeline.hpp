#pragma once

#include <cstdint>

namespace lab54 {

/// A step that prints when each part of each chunk of a pipeline ran; tools/labs/timeline.py draws it.
/// \param n words, or 0 for 2^20 \return 0 when the answer was right, else 1
int show_timeline(std::int64_t n);

}  // namespace lab54
