#pragma once

#include <cstdint>
#include <limits>

namespace chapter03 {

/// Largest value of a 32-bit int.
inline constexpr std::int64_t int32_max = std::numeric_limits<std::int32_t>::max();

/// Fewest elements whose sum passes 2^31 - 1 when the sum grows by `grows` every `elements` elements.
// [limit]
constexpr std::int64_t first_size_that_wraps(std::int64_t grows, std::int64_t elements) {
  return int32_max * elements / grows + 1;
}

inline constexpr std::int64_t wraps_at_worst = first_size_that_wraps(9 * 9, 1);
inline constexpr std::int64_t wraps_in_the_mean =
    first_size_that_wraps(0 + 1 + 4 + 9 + 16 + 25 + 36 + 49 + 64 + 81, 10);
// [/limit]

}  // namespace chapter03
