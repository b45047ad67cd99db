#pragma once

#include <string>
#include <vector>

#include "coalesce/chapter.hpp"
#include "coalesce/device_buffer.hpp"
#include "coalesce/verify.hpp"
#include "lab.hpp"

namespace lab91 {

/// n random floats on the device, to be halved.
class halve_problem final : public coalesce::problem {
 public:
  explicit halve_problem(std::int64_t n) : n_(n), d_in_(n), d_out_(n) {}

  void prepare(std::uint64_t seed) override {
    in_ = coalesce::random_floats(n_, -1, 1, seed);
    COALESCE_CHECK(cudaMemcpy(d_in_.data(), in_.data(), bytes(), cudaMemcpyHostToDevice));
  }
  void poison_output() override { COALESCE_CHECK(cudaMemset(d_out_.data(), 0xff, bytes())); }
  coalesce::verdict check() override {
    std::vector<float> got(in_.size()), want(in_);
    COALESCE_CHECK(cudaMemcpy(got.data(), d_out_.data(), bytes(), cudaMemcpyDeviceToHost));
    for (float& value : want) value /= 2;
    const bool same = got == want;
    return {.ok = same, .message = same ? "" : "a half is wrong"};
  }
  std::string answer() const override { return std::to_string(n_) + " halves"; }
  coalesce::work work_per_launch() const override { return {.bytes = 8.0 * n_}; }
  void run(cudaStream_t stream) { halve(d_in_.data(), n_, d_out_.data(), stream); }

 private:
  std::size_t bytes() const { return n_ * sizeof(float); }

  std::int64_t n_;
  std::vector<float> in_;
  coalesce::device_buffer<float> d_in_, d_out_;
};

}  // namespace lab91
