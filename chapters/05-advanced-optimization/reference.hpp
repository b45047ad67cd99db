#pragma once

#include <cstdint>
#include <span>

namespace chapter05 {

/// The sum of the squares of `values`, by one loop on the host.
// [reference]
inline std::int64_t sum_of_squares(std::span<const int> values) {
  std::int64_t sum = 0;
  for (const int value : values) sum += std::int64_t{value} * value;
  return sum;
}
// [/reference]

}  // namespace chapter05
