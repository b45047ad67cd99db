#pragma once

#include <string>
#include <vector>

#include "coalesce/chapter.hpp"
#include "coalesce/device_buffer.hpp"
#include "coalesce/error.hpp"

namespace lab52 {

/// A square of n rows with padding on the host, to be copied to the device without it.
class row_copies final : public coalesce::problem {
 public:
  explicit row_copies(std::int64_t n) : n_(n), device_(n * n) {}

  void prepare(std::uint64_t seed) override {
    host_ = coalesce::random_floats(n_ * ld(), 0, 1, seed);
    poison_output();
  }
  void poison_output() override { coalesce::poison(device_); }

  coalesce::verdict check() override {
    const std::vector<float> arrived = coalesce::to_host(device_);
    for (std::int64_t i = 0; i < n_ * n_; ++i)
      if (arrived[i] != host_[i / n_ * ld() + i % n_])
        return {false, "float " + std::to_string(i) + " did not arrive"};
    return {true, {}};
  }
  std::string answer() const override { return std::to_string(n_) + " rows copied"; }
  coalesce::work work_per_launch() const override {
    return {.bytes = static_cast<double>(n_) * static_cast<double>(n_) * sizeof(float)};
  }

  void copy_at_once() {
    if (n_ > 0)
      COALESCE_CHECK(cudaMemcpy2D(device_.data(), row_bytes(), host_.data(), ld() * sizeof(float),
                                  row_bytes(), n_, cudaMemcpyHostToDevice));
  }
  void copy_each_row() {
    for (std::int64_t row = 0; row < n_; ++row)
      COALESCE_CHECK(cudaMemcpy(device_.data() + row * n_, host_.data() + row * ld(), row_bytes(),
                                cudaMemcpyHostToDevice));
  }

 private:
  std::int64_t ld() const { return n_ + 6; }
  std::size_t row_bytes() const { return static_cast<std::size_t>(n_) * sizeof(float); }

  std::int64_t n_;
  std::vector<float> host_;
  coalesce::device_buffer<float> device_;
};

/// A row that copies in one way, timed by the host's clock.
inline coalesce::step copy_row(std::string name, void (row_copies::*copy)(), std::string title) {
  coalesce::step s;
  s.name = std::move(name);
  s.family = "matmul_copies";
  s.title = std::move(title);
  s.timed_by = coalesce::clock_kind::host;
  s.capturable = false;
  s.most_n = 16384;
  s.launch = [copy](coalesce::problem& p, cudaStream_t) { (static_cast<row_copies&>(p).*copy)(); };
  return s;
}

}  // namespace lab52
