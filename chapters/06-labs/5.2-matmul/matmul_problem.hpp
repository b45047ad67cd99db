#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "coalesce/chapter.hpp"
#include "coalesce/device_buffer.hpp"
#include "coalesce/error.hpp"
#include "lab.hpp"

namespace lab52 {

/// Where the matrices of a row lie.
enum class place {
  packed,   ///< on the device, rows without padding
  pitched,  ///< on the device, rows as far apart as cudaMallocPitch wants
  host,     ///< on the host, with leading dimensions of their own: the copies count
};

/// Memory of cudaMallocPitch for n × n floats.
struct pitched_square {
  explicit pitched_square(std::int64_t n) {
    std::size_t pitch = 0;
    if (n > 0)
      COALESCE_CHECK(
          cudaMallocPitch(reinterpret_cast<void**>(&data), &pitch, n * sizeof(float), n));
    ld = static_cast<std::int64_t>(pitch / sizeof(float));
  }
  pitched_square(const pitched_square&) = delete;
  ~pitched_square() { coalesce::report_failure(cudaFree(data), "cudaFree"); }

  float* data = nullptr;
  std::int64_t ld = 0;
};

/// Two square matrices to multiply, of n rows each, in all three places.
///
/// The reference is the problem's own. Up to 128 rows every row of C is compared; of a larger one 16
/// rows, drawn anew with the input, and every element is looked at for NaN, which is what poison leaves.
class matmul_problem final : public coalesce::problem {
 public:
  explicit matmul_problem(std::int64_t n)
      : n_(n), d_a_(n * n), d_b_(n * n), d_c_(n * n), p_a_(n), p_b_(n), p_c_(n) {
    for (auto* host : {&a_, &b_, &c_}) host->resize(static_cast<std::size_t>(n * ld()));
  }

  void prepare(std::uint64_t seed) override {
    a_ = coalesce::random_floats(n_ * ld(), 0, 1, seed);
    b_ = coalesce::random_floats(n_ * ld(), 0, 1, ~seed);
    to_device(d_a_.data(), n_, a_), to_device(d_b_.data(), n_, b_);
    to_device(p_a_.data, p_a_.ld, a_), to_device(p_b_.data, p_b_.ld, b_);
    choose_rows(seed);
    want_.assign(rows_.size() * static_cast<std::size_t>(n_), 0);
    for (std::size_t r = 0; r < rows_.size(); ++r)
      for (std::int64_t k = 0; k < n_; ++k)
        for (std::int64_t col = 0; col < n_; ++col)
          want_[r * n_ + col] += double{a_[rows_[r] * ld() + k]} * b_[k * ld() + col];
    poison_output();
  }

  void poison_output() override {
    coalesce::poison(d_c_);
    if (n_ > 0) COALESCE_CHECK(cudaMemset(p_c_.data, 0xFF, p_c_.ld * n_ * sizeof(float)));
    coalesce::poison(std::span(c_));
    exact_.assign(exact_.size(), NAN);
  }

  coalesce::verdict check() override { return check(place::packed); }

  /// Compares the product that lies in a place. Waits for the device.
  coalesce::verdict check(place where) {
    COALESCE_CHECK(cudaDeviceSynchronize());
    if (where == place::packed) to_host(d_c_.data(), n_);
    if (where == place::pitched) to_host(p_c_.data, p_c_.ld);
    return compare([this](std::int64_t row, std::int64_t col) { return c_[row * ld() + col]; });
  }
  /// The same for the host's own product in double.
  coalesce::verdict check_exact() {
    return compare([this](std::int64_t row, std::int64_t col) { return exact_[row * n_ + col]; });
  }

  std::string answer() const override {
    char text[128];
    std::snprintf(text, sizeof text,
                  "relative error of the product: %.3g in the mean, %.3g at most", mean_, largest_);
    return text;
  }

  std::optional<double> mean_error() const override { return mean_; }

  coalesce::work work_per_launch() const override {
    const auto n = static_cast<double>(n_);
    return {3 * n * n * sizeof(float), 2 * n * n * n};
  }

  /// Runs a version on the matrices of a place.
  void launch(product_on_device* multiply, int threads, place where, cudaStream_t stream) {
    const auto square = [n = n_](std::int64_t lda, std::int64_t ldb, std::int64_t ldc) {
      return shape{.m = n, .n = n, .p = n, .lda = lda, .ldb = ldb, .ldc = ldc};
    };
    switch (where) {
      case place::packed:
        return multiply(d_a_.data(), d_b_.data(), d_c_.data(), square(n_, n_, n_), threads, stream);
      case place::pitched:
        return multiply(p_a_.data, p_b_.data, p_c_.data, square(p_a_.ld, p_b_.ld, p_c_.ld), threads,
                        stream);
      case place::host:
        return matmult_cuda(a_.data(), b_.data(), c_.data(), square(ld(), ld(), ld()), multiply,
                            threads);
    }
  }
  /// The same from and to the host, through memory of cudaMallocPitch.
  void launch_pitched(product_on_device* multiply, int threads) {
    const shape s{.m = n_, .n = n_, .p = n_, .lda = ld(), .ldb = ld(), .ldc = ld()};
    matmult_pitched(a_.data(), b_.data(), c_.data(), s, multiply, threads);
  }

  /// The baseline: matmult, by so many threads of the host, each for rows of its own.
  void multiply_on_host(int threads) {
    exact_.resize(static_cast<std::size_t>(n_ * n_));
    const std::int64_t rows = (n_ + threads - 1) / threads;
    const auto part = [this, rows](std::int64_t first) {
      if (first >= n_) return;
      matmult(
          a_.data() + first * ld(), b_.data(), exact_.data() + first * n_,
          {.m = std::min(rows, n_ - first), .n = n_, .p = n_, .lda = ld(), .ldb = ld(), .ldc = n_});
    };
    std::vector<std::jthread> others;
    for (int i = 1; i < threads; ++i) others.emplace_back(part, i * rows);
    part(0);
  }

 private:
  std::int64_t ld() const { return n_ + 6; }

  void to_device(float* d, std::int64_t d_ld, const std::vector<float>& host) {
    if (n_ > 0)
      COALESCE_CHECK(cudaMemcpy2D(d, d_ld * sizeof(float), host.data(), ld() * sizeof(float),
                                  n_ * sizeof(float), n_, cudaMemcpyHostToDevice));
  }
  void to_host(const float* d, std::int64_t d_ld) {
    if (n_ > 0)
      COALESCE_CHECK(cudaMemcpy2D(c_.data(), ld() * sizeof(float), d, d_ld * sizeof(float),
                                  n_ * sizeof(float), n_, cudaMemcpyDeviceToHost));
  }

  void choose_rows(std::uint64_t seed) {
    std::mt19937_64 random(seed);
    rows_.clear();
    for (std::int64_t row = 0; row < std::min<std::int64_t>(n_, n_ > 128 ? 16 : 128); ++row)
      rows_.push_back(n_ > 128 ? static_cast<std::int64_t>(random() % n_) : row);
  }

  /// All factors are positive, so the sum itself is the magnitude.
  template <class Element>
  coalesce::verdict compare(Element element) {
    using number = decltype(element(0, 0));
    for (std::int64_t row = 0; row < n_; ++row)
      for (std::int64_t col = 0; col < n_; ++col)
        if (std::isnan(element(row, col)))
          return {false,
                  "element (" + std::to_string(row) + ", " + std::to_string(col) +
                      ") is NaN, or was never written",
                  INFINITY};
    std::vector<number> got;
    for (const std::int64_t row : rows_)
      for (std::int64_t col = 0; col < n_; ++col) got.push_back(element(row, col));
    mean_ = largest_ = 0;
    for (std::size_t i = 0; i < got.size(); ++i) {
      const double error = std::fabs(got[i] - want_[i]) / (want_[i] != 0 ? want_[i] : 1);
      mean_ += error / static_cast<double>(got.size());
      largest_ = std::max(largest_, error);
    }
    return coalesce::compare(std::span<const number>(got), std::span<const double>(want_),
                             {.factor = 1, .terms = std::sqrt(static_cast<double>(n_)) + 4});
  }

  std::int64_t n_;
  std::vector<float> a_, b_, c_;
  std::vector<double> exact_;
  coalesce::device_buffer<float> d_a_, d_b_, d_c_;
  pitched_square p_a_, p_b_, p_c_;
  std::vector<std::int64_t> rows_;
  std::vector<double> want_;
  double mean_ = 0, largest_ = 0;
};

}  // namespace lab52
