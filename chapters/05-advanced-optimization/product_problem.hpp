#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "coalesce/chapter.hpp"
#include "coalesce/device_buffer.hpp"
#include "coalesce/error.hpp"
#include "float.hpp"

namespace chapter05 {

/// Two square matrices to multiply. Up to 128 rows every row of the product is compared with double
/// precision; of a larger one 16 rows, drawn anew with the input, and every element is looked at for NaN,
/// which is what poison leaves.
class product_problem final : public coalesce::problem {
 public:
  explicit product_problem(std::int64_t n) : n_(n), d_ab_(2 * n * n), d_c_(n * n) {}

  void prepare(std::uint64_t seed) override {
    ab_ = coalesce::random_floats(2 * n_ * n_, 0.0f, 1.0f, seed);
    d_ab_.copy_from_host(std::span<const float>(ab_));
    rows_.clear();
    std::mt19937_64 random(seed);
    for (std::int64_t row = 0; row < std::min<std::int64_t>(n_, 128); ++row) rows_.push_back(row);
    if (n_ > 128) {
      rows_.resize(16);
      for (std::int64_t& row : rows_)
        row = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n_));
    }
    want_.assign(rows_.size() * static_cast<std::size_t>(n_), 0);
    for (std::size_t r = 0; r < rows_.size(); ++r)
      for (std::int64_t k = 0; k < n_; ++k)
        for (std::int64_t col = 0; col < n_; ++col)
          want_[r * static_cast<std::size_t>(n_) + static_cast<std::size_t>(col)] +=
              double{at(rows_[r] * n_ + k)} * at(n_ * n_ + k * n_ + col);
    poison_output();
  }

  void poison_output() override { coalesce::poison(d_c_); }

  coalesce::verdict check() override {
    COALESCE_CHECK(cudaDeviceSynchronize());
    const std::vector<float> c = coalesce::to_host(d_c_);
    const auto nan = std::find_if(c.begin(), c.end(), [](float x) { return std::isnan(x); });
    if (nan != c.end())
      return {false, "element " + std::to_string(nan - c.begin()) + " is NaN, or was never written",
              INFINITY};
    std::vector<float> got;
    for (const std::int64_t row : rows_)
      got.insert(got.end(), c.begin() + row * n_, c.begin() + (row + 1) * n_);
    // All factors are positive, so the sum itself is the magnitude.
    return coalesce::compare(std::span<const float>(got), std::span<const double>(want_),
                             {.factor = 1, .terms = std::sqrt(static_cast<double>(n_)) + 4});
  }

  std::string answer() const override {
    return "the product of two matrices of " + std::to_string(n_) + " rows";
  }

  coalesce::work work_per_launch() const override {
    const auto n = static_cast<double>(n_);
    return {3 * n * n * sizeof(float), 2 * n * n * n};
  }

  void launch(product_step* run, cudaStream_t stream) {
    run(d_ab_.data(), n_, d_c_.data(), stream);
  }

 private:
  double at(std::int64_t i) const { return ab_[static_cast<std::size_t>(i)]; }

  std::int64_t n_;
  std::vector<float> ab_;
  coalesce::device_buffer<float> d_ab_, d_c_;
  std::vector<std::int64_t> rows_;
  std::vector<double> want_;
};

inline coalesce::step make_product(std::string name, product_step* run, std::string title) {
  return {.name = std::move(name),
          .family = "matrix_product_f32",
          .title = std::move(title),
          .launch =
              [run](coalesce::problem& p, cudaStream_t stream) {
                static_cast<product_problem&>(p).launch(run, stream);
              },
          .most_n = coalesce::on_cpu_device() ? 256 : 8192,  // n^3 operations
          .modes = {coalesce::hot_stream}};
}

}  // namespace chapter05
