#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "coalesce/chapter.hpp"
#include "coalesce/device_buffer.hpp"
#include "coalesce/error.hpp"
#include "coalesce/verify.hpp"

namespace lab51 {

/// Two random vectors and room for their sum, in ordinary memory of the host and on the device.
class vector_problem final : public coalesce::problem {
 public:
  explicit vector_problem(std::int64_t n)
      : a_(static_cast<std::size_t>(n)), b_(a_.size()), c_(a_.size()), d_a_(n), d_b_(n), d_c_(n) {}

  void prepare(std::uint64_t seed) override {
    coalesce::fill_random_floats(a_, -1, 1, seed);
    coalesce::fill_random_floats(b_, -1, 1, ~seed);
    d_a_.copy_from_host(a_);
    d_b_.copy_from_host(b_);
    poison_output();
  }

  void poison_output() override {
    coalesce::poison(d_c_);
    coalesce::poison(std::span(c_));
    COALESCE_CHECK(cudaDeviceSynchronize());
    on_host_ = false;
  }

  /// One addition is rounded once, on both sides alike: only equal sums pass.
  coalesce::verdict check() override {
    COALESCE_CHECK(cudaDeviceSynchronize());
    if (!on_host_) d_c_.copy_to_host(std::span(c_));
    for (std::size_t i = 0; i < c_.size(); ++i)
      if (c_[i] != a_[i] + b_[i])
        return {.message = "element " + std::to_string(i) + " is " + std::to_string(c_[i]) +
                           ", and a + b is " + std::to_string(a_[i] + b_[i])};
    return {.ok = true};
  }

  std::string answer() const override { return std::to_string(c_.size()) + " sums"; }

  /// Two vectors are read and one is written; one addition an element.
  coalesce::work work_per_launch() const override {
    const auto n = static_cast<double>(c_.size());
    return {3 * sizeof(float) * n, n};
  }

  /// Calls `add(d_a, d_b, n, d_c)`.
  template <class Add>
  void on_device(Add add) {
    add(d_a_.data(), d_b_.data(), d_c_.size(), d_c_.data());
  }

  /// Calls `add(a, b, n, c)` with the host's vectors.
  template <class Add>
  void on_host(Add add) {
    add(a_.data(), b_.data(), d_c_.size(), c_.data());
    on_host_ = true;
  }

 private:
  std::vector<float> a_, b_, c_;
  coalesce::device_buffer<float> d_a_, d_b_, d_c_;
  bool on_host_ = false;  ///< where the sums are
};

}  // namespace lab51
