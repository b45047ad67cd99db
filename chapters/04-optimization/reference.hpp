#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace chapter04 {

/// The sum of the squares of `values`, by one loop on the host.
// [sum]
inline std::int64_t sum_of_squares(std::span<const int> values) {
  std::int64_t sum = 0;
  for (const int value : values) sum += std::int64_t{value} * value;
  return sum;
}
// [/sum]

/// c = a + b, element by element, by one loop on the host. All three have the same length.
// [add]
inline void add(std::span<const float> a, std::span<const float> b, std::span<float> c) {
  for (std::size_t i = 0; i < c.size(); ++i) c[i] = a[i] + b[i];
}
// [/add]

}  // namespace chapter04
