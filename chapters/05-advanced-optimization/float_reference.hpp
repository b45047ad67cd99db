#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

namespace chapter05 {

/// The sum of the squares of `values` in double, by one loop over blocks of 65,536. The square of a float
/// is exact in double, and short loops keep the additions' roundings near 2^-50 of the sum.
// [reference]
inline double sum_of_squares_in_double(std::span<const float> values) {
  double sum = 0;
  for (std::size_t first = 0; first < values.size(); first += 65536) {
    double part = 0;
    for (const float value :
         values.subspan(first, std::min<std::size_t>(65536, values.size() - first)))
      part += double{value} * value;
    sum += part;
  }
  return sum;
}
// [/reference]

}  // namespace chapter05
