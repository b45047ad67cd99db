#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "coalesce/chapter.hpp"
#include "coalesce/device.hpp"
#include "coalesce/device_buffer.hpp"
#include "coalesce/error.hpp"
#include "coalesce/launch.hpp"
#include "coalesce/verify.hpp"
#include "matrix_shape.hpp"
#include "reference.hpp"

namespace chapter04 {

/// Random matrices A and B, and C = A + B. The host's copies are pinned, so that gigabytes come and go soon.
class matrix_add_problem final : public coalesce::problem {
 public:
  explicit matrix_add_problem(std::int64_t n)
      : shape_(shape_of(n)), a_(n), b_(n), got_(n), d_a_(n), d_b_(n), d_c_(n) {}

  void prepare(std::uint64_t seed) override {
    coalesce::fill_random_floats(a_.span(), -1, 1, seed);
    coalesce::fill_random_floats(b_.span(), -1, 1, ~seed);
    d_a_.copy_from_host(a_.span());
    d_b_.copy_from_host(b_.span());
    poison_output();
  }

  void poison_output() override {
    coalesce::poison(d_c_);
    in_slices([&](std::int64_t begin, std::int64_t end) {
      coalesce::poison(got_.span().subspan(static_cast<std::size_t>(begin),
                                           static_cast<std::size_t>(end - begin)));
    });
    ran_on_host_ = false;
  }

  /// One addition is rounded once, on both sides alike: only equal sums pass, and NaN never does.
  coalesce::verdict check() override {
    if (!ran_on_host_) {
      COALESCE_CHECK(cudaDeviceSynchronize());
      d_c_.copy_to_host(got_.span());
    }
    std::atomic<std::int64_t> wrong = 0, first = got_.size();
    in_slices([&](std::int64_t begin, std::int64_t end) {
      const float *a = a_.data(), *b = b_.data(), *c = got_.data();
      std::int64_t mine = 0, at = end;
      for (std::int64_t i = end - 1; i >= begin; --i) {
        if (c[i] == a[i] + b[i]) continue;
        ++mine;
        at = i;
      }
      wrong += mine;
      std::int64_t seen = first;
      while (mine > 0 && at < seen && !first.compare_exchange_weak(seen, at)) {
      }
    });
    if (wrong == 0) return {true, {}, 0};
    return mismatch(first, wrong);
  }

  /// For a step whose answer is not the sum: compares the output with A itself.
  coalesce::verdict check_copy_of_a() {
    COALESCE_CHECK(cudaDeviceSynchronize());
    d_c_.copy_to_host(got_.span());
    const bool equal = std::equal(a_.span().begin(), a_.span().end(), got_.data());
    return {equal, equal ? "" : "the copy differs from A", 0};
  }

  std::string answer() const override {
    return std::to_string(shape_.ny) + " rows of " + std::to_string(shape_.nx) + " columns";
  }

  /// Two matrices are read and one is written; one addition an element.
  coalesce::work work_per_launch() const override {
    const double n = static_cast<double>(got_.size());
    return {3 * sizeof(float) * n, n};
  }

  /// Calls `run(d_a, d_b, nx, ny, d_c)`.
  template <class Run>
  void launch(Run run) {
    run(d_a_.data(), d_b_.data(), shape_.nx, shape_.ny, d_c_.data());
  }

  /// The same sums on the host. \param cores true: all cores, false: one
  void run_on_host(bool cores) {
    const auto slice = [&](std::int64_t begin, std::int64_t end) {
      const auto part = [&](auto& array) {
        return array.span().subspan(static_cast<std::size_t>(begin),
                                    static_cast<std::size_t>(end - begin));
      };
      add(part(std::as_const(a_)), part(std::as_const(b_)), part(got_));
    };
    if (cores)
      in_slices(slice);
    else
      slice(0, got_.size());
    ran_on_host_ = true;
  }

 private:
  /// Calls `work(begin, end)` for slices of the array, one a core; small arrays are one slice.
  template <class Work>
  void in_slices(Work work) const {
    const std::int64_t n = got_.size();
    const std::int64_t cores = std::max(1u, std::thread::hardware_concurrency());
    const std::int64_t slice = coalesce::ceil_div(n, n < (1 << 18) ? 1 : cores);
    std::vector<std::jthread> threads;
    for (std::int64_t begin = slice; begin < n; begin += slice)
      threads.emplace_back(work, begin, std::min(n, begin + slice));
    work(0, std::min(n, slice));
  }

  coalesce::verdict mismatch(std::int64_t i, std::int64_t wrong) const {
    const float got = got_.data()[i], want = a_.data()[i] + b_.data()[i];
    const std::string text =
        "row " + std::to_string(i / shape_.nx) + ", column " + std::to_string(i % shape_.nx) +
        ": got " + (coalesce::is_poison(got) ? "what nobody wrote" : std::to_string(got)) +
        ", want " + std::to_string(want) + " (" + std::to_string(wrong) + " of " +
        std::to_string(got_.size()) + " elements are wrong)";
    return {false, text, coalesce::detail::relative_error(got, want, std::abs(want))};
  }

  matrix_shape shape_;
  coalesce::pinned_buffer<float> a_, b_, got_;
  coalesce::device_buffer<float> d_a_, d_b_, d_c_;
  bool ran_on_host_ = false;
};

/// The family of 2-D additions.
inline coalesce::family matrix_add_family() {
  return {
      .name = "matrix_add",
      .default_n = std::int64_t{1} << (coalesce::on_cpu_device() ? 20 : 28),  // a second, or 3 GiB
      .bench_sizes = {std::int64_t{1} << 20, std::int64_t{1} << 28},
      .thorough_sizes = {std::int64_t{1} << 18, std::int64_t{1} << 20, std::int64_t{1} << 22,
                         std::int64_t{1} << 24, std::int64_t{1} << 26, std::int64_t{1} << 28,
                         std::int64_t{1} << 30},
      .device_bytes_per_element = 3 * sizeof(float),
      .make = [](std::int64_t n) { return std::make_unique<matrix_add_problem>(n); }};
}

/// A row of the family. \param run takes (d_a, d_b, nx, ny, d_c, stream)
template <class Run>
coalesce::step matrix_add_step(std::string name, std::string variant, Run run, std::string title) {
  return {.name = std::move(name),
          .family = "matrix_add",
          .title = std::move(title),
          .launch =
              [run](coalesce::problem& p, cudaStream_t stream) {
                static_cast<matrix_add_problem&>(p).launch(
                    [&](const float* d_a, const float* d_b, std::int64_t nx, std::int64_t ny,
                        float* d_c) { run(d_a, d_b, nx, ny, d_c, stream); });
              },
          .variant = std::move(variant)};
}

/// A row on the host.
inline coalesce::step matrix_add_baseline(std::string name, bool cores, std::string title) {
  return {.name = std::move(name),
          .family = "matrix_add",
          .title = std::move(title),
          .kind = coalesce::step_kind::baseline,
          .launch = [cores](coalesce::problem& p, cudaStream_t) {
            static_cast<matrix_add_problem&>(p).run_on_host(cores);
          }};
}

}  // namespace chapter04
