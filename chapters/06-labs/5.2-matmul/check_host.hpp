#pragma once

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>

#include "check_data.hpp"
#include "coalesce/error.hpp"

/// Checks of what runs on the host: matgen, matmult, compare_mat, gflops, milliseconds.
namespace lab52::check {

// matgen ------------------------------------------------------------------------------------------

inline matrix<float> generated(std::int64_t rows, std::int64_t cols, std::int64_t ld,
                               std::uint64_t seed) {
  matrix<float> made(rows, cols, ld, before);
  matgen(made.values.data(), rows, cols, ld, seed);
  return made;
}

inline outcome check_matgen(std::int64_t rows, std::int64_t cols, std::uint64_t seed) {
  const matrix<float> a = generated(rows, cols, cols + 3, seed);
  double sum = 0;
  for (std::size_t i = 0; i < a.values.size(); ++i) {
    const float value = a.values[i];
    if (a.is_padding(i)) {
      if (value != before)
        return {"padding_written", "float " + std::to_string(i) + " is padding, and was written"};
      continue;
    }
    if (value == before) return {"not_written", "float " + std::to_string(i) + " was not written"};
    if (!(value >= 0 && value < 1))
      return {"out_of_range", "float " + std::to_string(i) + " is " + in_words(value) +
                                  ", and should be from 0 to 1, without 1"};
    sum += value;
  }
  const std::int64_t count = rows * cols;
  if (count == 0) return {};
  if (generated(rows, cols, cols + 3, seed).values != a.values && count > 1)
    return {"not_repeatable", "the same seed gave two different matrices"};
  if (generated(rows, cols, cols + 3, seed + 1).values == a.values)
    return {"seed_ignored", "two seeds gave the same matrix"};
  if (count < 1000) return {};
  const double mean = sum / static_cast<double>(count);
  if (std::fabs(mean - 0.5) > 0.1)  // 11 standard deviations for 1000 numbers
    return {"not_random", is_not("the mean", mean, 0.5) + ", nearly"};
  for (std::int64_t row = 1; row < rows; ++row)
    if (std::equal(&a.at(row, 0), &a.at(row, 0) + cols, &a.at(0, 0)))
      return {"not_random", "row " + std::to_string(row) + " is row 0 again"};
  bool symmetric = rows == cols;
  for (std::int64_t i = 0; symmetric && i < rows; ++i)
    for (std::int64_t j = 0; j < i; ++j) symmetric = symmetric && a.at(i, j) == a.at(j, i);
  if (symmetric) return {"not_random", "the matrix is symmetric, which hides a transpose"};
  return {};
}

inline outcome check_matgen_far(std::uint64_t seed) {
  const sparse<float> a(2 * huge_ld + 2);
  for (std::int64_t i = 0; i < 6; ++i) a[i / 2 * huge_ld + i % 2] = before;
  matgen(a.data(), 3, 2, huge_ld, seed);
  for (std::int64_t i = 0; i < 6; ++i)
    if (a[i / 2 * huge_ld + i % 2] == before)
      return {"index_wrap",
              "element " + place(i / 2, i % 2) + " was not written where lda is 2^31"};
  return {};
}

// matmult -----------------------------------------------------------------------------------------

inline outcome check_matmult(const shape& s, std::uint64_t seed) {
  const factors f = make_factors(s, seed), same = f;
  matrix<double> c(s.m, s.p, s.ldc, before);
  matmult(f.a.values.data(), f.b.values.data(), c.values.data(), s);
  const auto changed = [](const matrix<float>& x, const matrix<float>& y) {
    return std::memcmp(x.values.data(), y.values.data(), x.values.size() * sizeof(float)) != 0;
  };
  if (changed(f.a, same.a) || changed(f.b, same.b))
    return {"input_changed", "A or B is not what it was before"};
  matrix<float> got(s.m, s.p, s.ldc, before);
  for (std::size_t i = 0; i < c.values.size(); ++i) got.values[i] = static_cast<float>(c.values[i]);
  return compare_exactly(got, product_of(f, s), usual_faults(f, s));
}

/// Fractions: double's own precision, or the float that crept in.
inline outcome check_double(std::uint64_t seed) {
  const shape s = with_padding(3, 1000, 4);
  factors f = make_factors(s, seed);
  const auto random = coalesce::random_floats(s.m * s.n + s.n * s.p, 0, 1, seed);
  for (std::int64_t i = 0; i < s.m * s.n; ++i) f.a.at(i / s.n, i % s.n) = random[i];
  for (std::int64_t i = 0; i < s.n * s.p; ++i) f.b.at(i / s.p, i % s.p) = random[s.m * s.n + i];
  matrix<double> c(s.m, s.p, s.ldc, before);
  matmult(f.a.values.data(), f.b.values.data(), c.values.data(), s);
  for (std::int64_t row = 0; row < s.m; ++row)
    for (std::int64_t col = 0; col < s.p; ++col) {
      const double want = partial(f, row, col, 0, s.n);
      if (std::fabs(c.at(row, col) - want) > 1e-12 * want)
        return {"float_in_reference",
                is_not("C" + place(row, col), c.at(row, col), want) + " in double precision"};
    }
  return {};
}

inline outcome check_matmult_far(std::uint64_t) {
  const sparse<float> a(2 * huge_ld + 2), b(huge_ld + 2);
  const sparse<double> c(2 * huge_ld + 2);
  const shape s{.m = 3, .n = 2, .p = 2, .lda = huge_ld, .ldb = huge_ld, .ldc = huge_ld};
  for (std::int64_t i = 0; i < 6; ++i) a[i / 2 * huge_ld + i % 2] = static_cast<float>(i + 1);
  for (std::int64_t i = 0; i < 4; ++i) b[i / 2 * huge_ld + i % 2] = static_cast<float>(i + 1);
  matmult(a.data(), b.data(), c.data(), s);
  const double want[] = {7, 10, 15, 22, 23, 34};
  for (std::int64_t i = 0; i < 6; ++i)
    if (const double got = c[i / 2 * huge_ld + i % 2]; got != want[i])
      return {"index_wrap", is_not("C" + place(i / 2, i % 2), got, want[i]) +
                                " where the leading dimensions are 2^31"};
  return {};
}

// compare_mat -------------------------------------------------------------------------------------

/// Two rows of three, with padding that must not count.
struct compared {
  matrix<float> got{2, 3, 5, std::numeric_limits<float>::quiet_NaN()};
  matrix<double> want{2, 3, 4, 1e30};

  compared(const std::vector<float>& g, const std::vector<double>& w) {
    for (std::int64_t i = 0; i < 6; ++i) got.at(i / 3, i % 3) = g[i], want.at(i / 3, i % 3) = w[i];
  }
  errors now(std::int64_t rows = 2, std::int64_t cols = 3) const {
    return compare_mat(got.values.data(), got.ld, want.values.data(), want.ld, rows, cols);
  }
};

inline bool near(double got, double want) {
  return got == want || std::fabs(got - want) <= 1e-12 * std::fabs(want);
}

inline outcome check_errors(std::uint64_t) {
  // Errors of 1/2, 1/4, 0, 1/4, 0, 0; those over the device's values would be 1/3, 1/5, 0, 1/3, 0, 0.
  const errors found = compared({3, -5, 5, 3, -7, 9}, {2, -4, 5, 4, -7, 9}).now();
  const double mean = 1.0 / 6, largest = 0.5;
  if (near(found.mean, mean) && near(found.largest, largest)) return {};
  const std::string what = is_not("the mean error", found.mean, mean) + "; " +
                           is_not("the largest", found.largest, largest);
  if (near(found.largest, 1.0 / 3)) return {"divided_by_got", what};
  if (near(found.largest, largest) && (near(found.mean, 0) || near(found.mean, 0.5 / 6)))
    return {"errors_cancel", what};
  if (near(found.largest, 1)) return {"absolute_error", what};
  if (!std::isfinite(found.mean)) return {"padding_read", what};
  return {"wrong_error", what};
}

/// The first row of the matrices above, and their first column.
inline outcome check_vectors(std::uint64_t) {
  const compared both({3, -5, 5, 3, -7, 9}, {2, -4, 5, 4, -7, 9});
  const errors row = both.now(1, 3), column = both.now(2, 1);
  if (near(row.mean, 0.25) && near(row.largest, 0.5) && near(column.mean, 0.375) &&
      near(column.largest, 0.5))
    return {};
  return {"wrong_error", is_not("the mean error of a row", row.mean, 0.25) + "; " +
                             is_not("that of a column", column.mean, 0.375)};
}

inline outcome check_zero(std::uint64_t) {
  const errors found = compared({0, 0.25f, 1, 1, 1, 1}, {0, 0, 1, 1, 1, 1}).now();
  if (near(found.mean, 0.25 / 6) && near(found.largest, 0.25)) return {};
  return {"divided_by_zero",
          is_not("with an element of 0.25 where the reference is 0, the mean error", found.mean,
                 0.25 / 6) +
              "; " + is_not("the largest", found.largest, 0.25)};
}

inline outcome check_nan(std::uint64_t) {
  for (const double want : {1.0, 0.0}) {
    const errors found = compared({1, NAN, 1, 1, 1, 1}, {1, want, 1, 1, 1, 1}).now();
    if (std::isinf(found.mean) && std::isinf(found.largest)) continue;
    return {"nan_passes", "with a NaN in C the mean error is " + in_words(found.mean) +
                              " and the largest " + in_words(found.largest) +
                              ", and both should be infinite"};
  }
  return {};
}

inline outcome check_no_error(std::uint64_t) {
  const errors none = compare_mat(nullptr, 4, nullptr, 4, 0, 4);
  const errors thin = compare_mat(nullptr, 0, nullptr, 0, 3, 0);
  const errors same = compared({1, 0, 3, 4, 5, 6}, {1, 0, 3, 4, 5, 6}).now();
  if (none.mean == 0 && none.largest == 0 && thin.mean == 0 && thin.largest == 0 &&
      same.mean == 0 && same.largest == 0)
    return {};
  return {"wrong_error", "an empty matrix, and one that equals the reference, have no error"};
}

// gflops ------------------------------------------------------------------------------------------

inline outcome check_gflops(std::int64_t m, std::int64_t n, std::int64_t p, double milliseconds) {
  const shape s{.m = m, .n = n, .p = p, .lda = n, .ldb = p, .ldc = p};
  const double got = gflops(s, milliseconds);
  const auto count = [](std::int64_t x) { return static_cast<double>(x); };
  const double want = 2 * count(m) * count(n) * count(p) / milliseconds / 1e6;
  if (near(got, want)) return {};
  const std::string what = is_not("the rate", got, want) + " GFLOPS";
  if (near(got, want / 1000)) return {"milliseconds_as_seconds", what};
  if (near(got, want / 2)) return {"half_the_operations", what};
  if (2 * count(m) * count(n) * count(p) > 0x1p31) return {"overflow", what};
  return {"wrong_rate", what};
}

// milliseconds ------------------------------------------------------------------------------------

using namespace std::chrono_literals;

inline void CUDART_CB sleep_for(void* time) {
  std::this_thread::sleep_for(*static_cast<std::chrono::milliseconds*>(time));
}

/// Times work that the stream does behind the host's back, and of which one run takes longer.
/// \param slow number of that run, the first one is 0
inline outcome check_stopwatch(int repeats, int slow, const std::string& reason) {
  static std::chrono::milliseconds usual = 30ms, longer = 900ms;
  int runs = 0;
  const double got = milliseconds(
      [&](cudaStream_t stream) {
        void* const time = runs++ == slow ? &longer : &usual;
        COALESCE_CHECK(cudaLaunchHostFunc(stream, sleep_for, time));
      },
      repeats);
  COALESCE_CHECK(cudaDeviceSynchronize());
  const std::string what = is_not("the time", got, 30) + " ms or a little more";
  if (got > 0.9 * 0.03 && got < 3 * 0.03) return {"seconds_as_milliseconds", what};
  if (got < 0.9 * 30) return {"not_waited", what};
  if (got > 4 * 30) return {reason, what};
  if (runs != repeats + 1)
    return {"wrong_number_of_runs", is_not("the number of runs", runs, repeats + 1)};
  return {};
}

}  // namespace lab52::check
