#pragma once

#include <cmath>
#include <cstdint>

namespace chapter04 {

/// A matrix of ny rows and nx columns, stored row by row.
struct matrix_shape {
  std::int64_t nx = 0;  ///< columns: the length of a row
  std::int64_t ny = 0;  ///< rows
};

/// The matrix of exactly n elements that comes nearest to a square, with rows at least as long as columns.
///
/// 2^28 elements are 16384 x 16384, 2^29 are 32768 x 16384, 1025 are 41 x 25, and a prime number is one row.
// [shape]
inline matrix_shape shape_of(std::int64_t n) {
  std::int64_t ny = static_cast<std::int64_t>(std::sqrt(static_cast<double>(n)));
  while (ny * ny > n) --ny;
  while (ny > 1 && n % ny != 0) --ny;
  return ny == 0 ? matrix_shape{} : matrix_shape{n / ny, ny};
}
// [/shape]

}  // namespace chapter04
