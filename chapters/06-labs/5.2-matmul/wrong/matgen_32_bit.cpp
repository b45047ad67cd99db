// Wrong: The index is computed in 32 bits, and wraps round.
// in place of: matrices.cpp
// reject: matgen index_wrap
#include <cmath>
#include <limits>
#include <random>

#include "lab.hpp"

namespace lab52 {

// [matgen]
void matgen(float* a, std::int64_t rows, std::int64_t cols, std::int64_t lda, std::uint64_t seed) {
  // [answer]
  std::mt19937_64 random(seed);
  for (std::int64_t row = 0; row < rows; ++row)
    for (std::int64_t col = 0; col < cols; ++col)
      a[static_cast<unsigned>(row) * static_cast<unsigned>(lda) + col] =
          static_cast<float>(random() >> 40) * 0x1p-24f;  // 24 random bits
  // [/answer]
}
// [/matgen]

// [matmult]
void matmult(const float* a, const float* b, double* c, const shape& s) {
  // [answer]
  for (std::int64_t row = 0; row < s.m; ++row) {
    for (std::int64_t col = 0; col < s.p; ++col) c[row * s.ldc + col] = 0;
    for (std::int64_t k = 0; k < s.n; ++k)
      for (std::int64_t col = 0; col < s.p; ++col)
        c[row * s.ldc + col] += double{a[row * s.lda + k]} * b[k * s.ldb + col];
  }
  // [/answer]
}
// [/matmult]

// [compare]
errors compare_mat(const float* got, std::int64_t ld_got, const double* want, std::int64_t ld_want,
                   std::int64_t rows, std::int64_t cols) {
  errors found;
  // [answer]
  if (rows == 0 || cols == 0) return found;
  double sum = 0;
  for (std::int64_t row = 0; row < rows; ++row)
    for (std::int64_t col = 0; col < cols; ++col) {
      const double right = want[row * ld_want + col];
      double error = std::fabs(got[row * ld_got + col] - right);
      if (right != 0) error /= std::fabs(right);
      if (std::isnan(error)) error = std::numeric_limits<double>::infinity();
      sum += error;
      found.largest = std::fmax(found.largest, error);
    }
  found.mean = sum / (static_cast<double>(rows) * static_cast<double>(cols));
  // [/answer]
  return found;
}
// [/compare]

// [gflops]
double gflops(const shape& s, double milliseconds) {
  double operations = 0, seconds = 1;
  // [answer]
  operations = 2.0 * static_cast<double>(s.m) * static_cast<double>(s.n) * static_cast<double>(s.p);
  seconds = milliseconds / 1e3;
  // [/answer]
  return operations / seconds / 1e9;
}
// [/gflops]

}  // namespace lab52
