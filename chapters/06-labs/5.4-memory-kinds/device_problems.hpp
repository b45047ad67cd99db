#pragma once

#include <algorithm>
#include <bit>
#include <memory>
#include <string>
#include <vector>

#include "coalesce/chapter.hpp"
#include "coalesce/device_buffer.hpp"
#include "known_degree.hpp"
#include "plain.hpp"

/// Problems on data that are on the device, with what the host says of them.
namespace lab54 {

#ifdef __CPU_DEVICE__
inline constexpr int usual_turns = 16;  // the CPU device is for answers, not for times
#else
inline constexpr int usual_turns = 0;  // as many as the row says
#endif
using known::degree;

/// Inputs of one type, floats as output, and how far off each of them may be.
template <class In>
class device_problem : public coalesce::problem {
 public:
  device_problem(std::int64_t inputs, std::int64_t outputs)
      : d_in(inputs), d_out(outputs), in(inputs), want(outputs), allowed(outputs) {}

  void prepare(std::uint64_t seed) final {
    draw(seed);
    d_in.copy_from_host(std::span<const In>(in));
    poison_output();
  }
  void poison_output() override {
    coalesce::poison(d_out);
    COALESCE_CHECK(cudaDeviceSynchronize());
  }
  coalesce::verdict check() final {
    COALESCE_CHECK(cudaDeviceSynchronize());
    const std::vector<float> got = coalesce::to_host(d_out);
    for (std::size_t i = 0; i < got.size(); ++i)
      if (!(std::fabs(got[i] - want[i]) <= allowed[i]))
        return {false, "element " + std::to_string(i) + " is " + std::to_string(got[i]) + ", not " +
                           std::to_string(want[i])};
    return {true, {}};
  }
  std::string answer() const final { return std::to_string(d_out.size()) + " results"; }
  coalesce::work work_per_launch() const final {
    return {.bytes = static_cast<double>(d_in.bytes() + d_out.bytes())};
  }

  coalesce::device_buffer<In> d_in;
  coalesce::device_buffer<float> d_out;

 protected:
  /// Fills in, want and allowed.
  virtual void draw(std::uint64_t seed) = 0;

  std::vector<In> in;
  std::vector<double> want, allowed;
};

/// A polynomial at n places; all lanes read the same coefficient.
class polynomial_problem final : public device_problem<float> {
 public:
  explicit polynomial_problem(std::int64_t n) : device_problem(n, n), d_table(degree + 1) {}
  coalesce::device_buffer<float> d_table;

 private:
  void draw(std::uint64_t seed) override {
    const auto table = coalesce::random_floats(degree + 1, 0.5f, 1, seed);
    set_table(table.data(), degree + 1);
    known::set_coefficients(table.data());
    d_table.copy_from_host(table);
    coalesce::fill_random_floats(in, -1, 1, seed + 1);
    for (std::size_t i = 0; i < in.size(); ++i) {
      double y = 0, size = 0;
      for (int k = degree; k >= 0; --k) {
        y = y * in[i] + table[k];
        size = size * std::fabs(in[i]) + table[k];
      }
      want[i] = y;
      allowed[i] = 2.0 * (degree + 1) * coalesce::machine_epsilon<float> * size;
    }
  }
};

/// Entries of a table of 4,096 floats, in an order of their own.
class look_up_problem final : public device_problem<int> {
 public:
  static constexpr int count = 4096;
  explicit look_up_problem(std::int64_t n) : device_problem(n, n), d_table(count) {
    texture_ = make_list_texture(d_table.data(), count);
  }
  ~look_up_problem() override {
    coalesce::report_failure(cudaDestroyTextureObject(texture_), "cudaDestroyTextureObject");
  }
  cudaTextureObject_t texture() const { return texture_; }
  coalesce::device_buffer<float> d_table;

 private:
  void draw(std::uint64_t seed) override {
    const auto table = coalesce::random_floats(count, 1, 2, seed);
    set_table(table.data(), count);
    d_table.copy_from_host(table);
    coalesce::fill_random_ints(in, 0, count - 1, seed + 1);
    for (std::size_t i = 0; i < in.size(); ++i) want[i] = table[in[i]];
  }
  cudaTextureObject_t texture_ = 0;
};

/// The sides of a matrix of about n elements: a power of two, and what n has of it.
struct sides {
  int width, height;
  explicit sides(std::int64_t n)
      : width(n == 0 ? 0 : 1 << (std::bit_width(static_cast<std::uint64_t>(n)) - 1) / 2),
        height(n == 0 ? 0 : static_cast<int>(n / width)) {}
  std::int64_t count() const { return std::int64_t{width} * height; }
};

/// A matrix whose rows become columns.
class transpose_problem final : public device_problem<float> {
 public:
  explicit transpose_problem(std::int64_t n)
      : device_problem(sides(n).count(), sides(n).count()), shape(n) {}
  const sides shape;  ///< width: columns of the input

 private:
  void draw(std::uint64_t seed) override {
    coalesce::fill_random_floats(in, 1, 2, seed);
    for (std::size_t i = 0; i < in.size(); ++i)
      want[i % shape.width * shape.height + i / shape.width] = in[i];
  }
};

/// Groups of eight, sorted in place: n floats, an eighth as many groups.
class sort_problem final : public device_problem<float> {
 public:
  explicit sort_problem(std::int64_t n) : device_problem(n / 8 * 8, n / 8 * 8) {}
  std::int64_t groups() const { return d_out.size() / 8; }
  void poison_output() override {
    COALESCE_CHECK(cudaMemcpy(d_out.data(), d_in.data(), d_in.bytes(), cudaMemcpyDeviceToDevice));
    COALESCE_CHECK(cudaDeviceSynchronize());
  }

 private:
  void draw(std::uint64_t seed) override {
    coalesce::fill_random_floats(in, -1, 1, seed);
    float eight[8];
    for (std::int64_t g = 0; g < groups(); ++g) {
      for (int k = 0; k < 8; ++k) eight[k] = in[k * groups() + g];
      std::sort(eight, eight + 8);
      for (int k = 0; k < 8; ++k) want[k * groups() + g] = eight[k];
    }
  }
};

}  // namespace lab54
