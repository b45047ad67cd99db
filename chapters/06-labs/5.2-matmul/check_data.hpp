#pragma once

#include <sys/mman.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "coalesce/device.hpp"
#include "coalesce/verify.hpp"
#include "grading/cases.hpp"
#include "lab.hpp"

/// What the checks of lab 5.2 share: matrices with padding, and what a wrong product looks like.
namespace lab52::check {

using coalesce::lab::outcome;

/// What C holds before: no product of ours is a fraction, and no sum of them ends in .375.
inline constexpr float before = -12345.375f;

/// A matrix of the host with a leading dimension.
template <class T>
struct matrix {
  std::int64_t rows, cols, ld;
  std::vector<T> values;

  matrix(std::int64_t rows, std::int64_t cols, std::int64_t ld, T fill)
      : rows(rows),
        cols(cols),
        ld(ld),
        values(static_cast<std::size_t>(rows * cols > 0 ? (rows - 1) * ld + cols : 0), fill) {}
  T& at(std::int64_t row, std::int64_t col) { return values[place(row, col)]; }
  const T& at(std::int64_t row, std::int64_t col) const { return values[place(row, col)]; }
  bool is_padding(std::size_t i) const { return static_cast<std::int64_t>(i) % ld >= cols; }

 private:
  std::size_t place(std::int64_t row, std::int64_t col) const {
    return static_cast<std::size_t>(row * ld + col);
  }
};

/// Whole numbers from -8 to 8 without 0, so that every term counts and every sum is exact; NaN in the
/// padding.
inline matrix<float> whole_numbers(std::int64_t rows, std::int64_t cols, std::int64_t ld,
                                   std::uint64_t seed) {
  matrix<float> made(rows, cols, ld, std::numeric_limits<float>::quiet_NaN());
  const auto numbers = coalesce::random_ints(rows * cols, -8, 7, seed);
  for (std::int64_t i = 0; i < rows * cols; ++i)
    made.at(i / cols, i % cols) = static_cast<float>(numbers[i] < 0 ? numbers[i] : numbers[i] + 1);
  return made;
}

/// The shape of a product whose leading dimensions are all different, and larger than they need be.
inline shape with_padding(std::int64_t m, std::int64_t n, std::int64_t p) {
  return {.m = m, .n = n, .p = p, .lda = n + 3, .ldb = p + 5, .ldc = p + 7};
}

/// A and B.
struct factors {
  matrix<float> a, b;
};
inline factors make_factors(const shape& s, std::uint64_t seed) {
  return {whole_numbers(s.m, s.n, s.lda, seed), whole_numbers(s.n, s.p, s.ldb, ~seed)};
}

/// Terms `first` to `last` of an element of the product.
inline double partial(const factors& f, std::int64_t row, std::int64_t col, std::int64_t first,
                      std::int64_t last) {
  double sum = 0;
  for (std::int64_t k = first; k < last; ++k) sum += double{f.a.at(row, k)} * f.b.at(k, col);
  return sum;
}
inline matrix<float> product_of(const factors& f, const shape& s) {
  matrix<float> c(s.m, s.p, s.ldc, before);
  for (std::int64_t row = 0; row < s.m; ++row)
    for (std::int64_t col = 0; col < s.p; ++col)
      c.at(row, col) = static_cast<float>(partial(f, row, col, 0, s.n));
  return c;
}

inline std::string place(std::int64_t row, std::int64_t col) {
  return "(" + std::to_string(row) + ", " + std::to_string(col) + ")";
}
inline std::string in_words(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}
inline std::string is_not(const std::string& what, double got, double want) {
  return what + " is " + in_words(got) + ", and should be " + in_words(want);
}

using element = std::function<double(std::int64_t row, std::int64_t col)>;

/// One way to be wrong, and the answer that it gives.
struct fault {
  std::string reason, what;
  element answer;
};

/// Ways to multiply wrongly that give other values than the product's.
inline std::vector<fault> usual_faults(const factors& f, const shape& s) {
  std::vector<fault> faults = {
      {"last_term_dropped", "the last term of every sum is missing",
       [&](auto row, auto col) { return partial(f, row, col, 0, s.n - 1); }},
      {"first_term_dropped", "the first term of every sum is missing",
       [&](auto row, auto col) { return partial(f, row, col, 1, s.n); }},
      {"last_tile_dropped", "the terms behind the last whole tile of 16 are missing",
       [&](auto row, auto col) { return partial(f, row, col, 0, s.n / 16 * 16); }},
      {"uninitialised_sum", "what C held before was added",
       [&](auto row, auto col) { return before + partial(f, row, col, 0, s.n); }},
      {"all_zero", "C is 0", [](auto, auto) { return 0.0; }},
  };
  if (s.m != s.n || s.n != s.p) return faults;
  const auto sum = [&s](auto term) {
    double all = 0;
    for (std::int64_t k = 0; k < s.n; ++k) all += term(k);
    return all;
  };
  const matrix<float>&a = f.a, &b = f.b;
  faults.push_back({"transposed", "rows and columns of C are exchanged",
                    [&](auto row, auto col) { return partial(f, col, row, 0, s.n); }});
  faults.push_back({"transposed", "A is read by columns", [&, sum](auto row, auto col) {
                      return sum([&](auto k) { return double{a.at(k, row)} * b.at(k, col); });
                    }});
  faults.push_back({"transposed", "B is read by rows", [&, sum](auto row, auto col) {
                      return sum([&](auto k) { return double{a.at(row, k)} * b.at(col, k); });
                    }});
  faults.push_back({"factors_exchanged", "this is B A, not A B", [&, sum](auto row, auto col) {
                      return sum([&](auto k) { return double{b.at(row, k)} * a.at(k, col); });
                    }});
  return faults;
}

/// True when `answer` is what `got` holds, in every element.
inline bool explains(const element& answer, const matrix<float>& got) {
  for (std::int64_t row = 0; row < got.rows; ++row)
    for (std::int64_t col = 0; col < got.cols; ++col)
      if (got.at(row, col) != answer(row, col)) return false;
  return true;
}

/// Compares a product of whole numbers: the padding first, then every element, exactly.
inline outcome compare_exactly(const matrix<float>& got, const matrix<float>& want,
                               const std::vector<fault>& faults) {
  for (std::size_t i = 0; i < got.values.size(); ++i)
    if (got.is_padding(i) && got.values[i] != before)
      return {"padding_written", "float " + std::to_string(i) +
                                     " of C is padding (ldc = " + std::to_string(got.ld) + ", " +
                                     std::to_string(got.cols) + " columns), and " +
                                     in_words(got.values[i]) + " was written there"};
  std::int64_t wrong = 0, unwritten = 0, first = -1;
  for (std::int64_t i = 0; i < got.rows * got.cols; ++i) {
    const std::int64_t row = i / got.cols, col = i % got.cols;
    if (got.at(row, col) == want.at(row, col)) continue;
    if (wrong++ == 0) first = i;
    unwritten += got.at(row, col) == before;
  }
  if (wrong == 0) return {};
  const std::int64_t row = first / got.cols, col = first % got.cols;
  const float value = got.at(row, col);
  const std::string what = is_not("C" + place(row, col), value, want.at(row, col)) + "; " +
                           std::to_string(wrong) + " of " + std::to_string(got.rows * got.cols) +
                           " elements are wrong";
  if (unwritten == got.rows * got.cols) return {"nothing_written", what + ": C is as it was"};
  if (unwritten == wrong) return {"not_written", what + ": nobody wrote them"};
  if (std::isnan(value)) return {"padding_read", what + ": NaN stands in the padding only"};
  for (const fault& one : faults)
    if (explains(one.answer, got)) return {one.reason, what + ": " + one.what};
  for (std::int64_t i = 0; i < got.rows * got.cols; ++i)
    if (value != 0 && want.at(i / got.cols, i % got.cols) == value)
      return {"wrong_place", what + "; this value belongs to C" +
                                 place(i / got.cols, i % got.cols) + ", if that is no chance"};
  return {"wrong_value", what};
}

/// The first of several outcomes that is not right; else the last.
inline outcome first_wrong(std::initializer_list<std::function<outcome()>> checks) {
  outcome last;
  for (const auto& check : checks)
    if (last = check(); !last.right()) return last;
  return last;
}

/// Host memory of which only the pages that are touched exist: for leading dimensions that 32 bits
/// cannot multiply.
template <class T>
class sparse {
 public:
  explicit sparse(std::int64_t count) : bytes_(static_cast<std::size_t>(count) * sizeof(T)) {
    void* const mapped = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped == MAP_FAILED) throw std::bad_alloc();
    data_ = static_cast<T*>(mapped);
  }
  sparse(const sparse&) = delete;
  ~sparse() { munmap(data_, bytes_); }
  T* data() const { return data_; }
  T& operator[](std::int64_t i) const { return data_[i]; }

 private:
  std::size_t bytes_;
  T* data_ = nullptr;
};

/// The smallest leading dimension of which two rows are more than 32 bits can count.
inline constexpr std::int64_t huge_ld = std::int64_t{1} << 31;

}  // namespace lab52::check
