#pragma once

#include <cstdlib>
#include <cstring>
#include <span>
#include <stdexcept>

#include "check_data.hpp"
#include "coalesce/device_buffer.hpp"
#include "coalesce/error.hpp"
#include "coalesce/stream.hpp"

/// Checks of the versions that run on the device.
namespace lab52::check {

using coalesce::lab::count_limit;

/// A version, and what it promises beyond the right answer.
struct version {
  std::string property;
  product_on_device* multiply = nullptr;
  std::function<std::vector<count_limit>(const shape& s, int threads)> counts;
  std::function<std::vector<fault>(const factors& f, const shape& s)> faults = usual_faults;
};

/// A matrix of the host on the device. Where the device's bounds are not checked, guards lie behind it.
class on_device {
 public:
  explicit on_device(const matrix<float>& host) : host_(host), buffer_(size()) { put(host); }

  void put(const matrix<float>& host) {
    std::vector<float> all = host.values;
    all.resize(static_cast<std::size_t>(size()), before);
    buffer_.copy_from_host(std::span<const float>(all));
  }
  matrix<float> get() const {
    matrix<float> got = host_;
    got.values = coalesce::to_host(buffer_);
    guards_kept_ = std::all_of(got.values.begin() + static_cast<std::int64_t>(host_.values.size()),
                               got.values.end(), [](float x) { return x == before; });
    got.values.resize(host_.values.size());
    return got;
  }
  bool guards_kept() const { return guards_kept_; }
  bool is(const matrix<float>& want) const {
    return std::memcmp(get().values.data(), want.values.data(),
                       want.values.size() * sizeof(float)) == 0;
  }
  float* data() { return buffer_.data(); }

 private:
  std::int64_t size() const {
    const auto own = static_cast<std::int64_t>(host_.values.size());
    return own + (coalesce::on_cpu_device() ? 0 : 256);
  }
  matrix<float> host_;
  coalesce::device_buffer<float> buffer_;
  mutable bool guards_kept_ = true;
};

/// Multiplies twice, in the same memory, with other numbers the second time.
inline outcome check_size(const version& v, const shape& s, int threads, std::uint64_t seed) {
  const factors inputs[] = {make_factors(s, seed), make_factors(s, seed + 1)};
  const matrix<float> empty(s.m, s.p, s.ldc, before);
  on_device d_a(inputs[0].a), d_b(inputs[0].b), d_c(empty);
  matrix<float> last = empty;
  for (const factors& f : inputs) {
    d_a.put(f.a), d_b.put(f.b), d_c.put(empty);
    v.multiply(d_a.data(), d_b.data(), d_c.data(), s, threads, nullptr);
    COALESCE_CHECK(cudaDeviceSynchronize());
    const matrix<float> got = d_c.get();
    if (!d_c.guards_kept()) return {"out_of_bounds", "something was written behind C"};
    std::vector<fault> faults = v.faults(f, s);
    if (&f != inputs)
      faults.insert(faults.begin(), {"cached_answer", "this is the product of the call before",
                                     [&](auto row, auto col) { return last.at(row, col); }});
    if (const outcome found = compare_exactly(got, product_of(f, s), faults); !found.right())
      return found;
    if (!d_a.is(f.a) || !d_b.is(f.b)) return {"input_changed", "A or B is not what it was before"};
    last = got;
  }
  if (s.m * s.p == 0) return {};
  return {"", "", v.counts(s, threads)};
}

/// Fractions: as exact as a sum of so many floats can be.
inline outcome check_fractions(const version& v, std::uint64_t seed) {
  const shape s = with_padding(2, 500, 20);
  factors f = make_factors(s, seed);
  const auto random = coalesce::random_floats(s.m * s.n + s.n * s.p, 0, 1, seed);
  for (std::int64_t i = 0; i < s.m * s.n; ++i) f.a.at(i / s.n, i % s.n) = random[i];
  for (std::int64_t i = 0; i < s.n * s.p; ++i) f.b.at(i / s.p, i % s.p) = random[s.m * s.n + i];
  on_device d_a(f.a), d_b(f.b), d_c(matrix<float>(s.m, s.p, s.ldc, before));
  v.multiply(d_a.data(), d_b.data(), d_c.data(), s, 32, nullptr);
  COALESCE_CHECK(cudaDeviceSynchronize());
  const matrix<float> got = d_c.get();
  for (std::int64_t row = 0; row < s.m; ++row)
    for (std::int64_t col = 0; col < s.p; ++col) {
      const double want = partial(f, row, col, 0, s.n);
      if (!(std::fabs(got.at(row, col) - want) <= 500 * 0x1p-24 * want))
        return {"wrong_value", is_not("C" + place(row, col), got.at(row, col), want)};
    }
  return {};
}

/// The factors arrive late, in a stream that does not wait for the default one.
inline outcome check_stream(const version& v, std::uint64_t seed) {
  const shape s = with_padding(20, 20, 20);
  const factors f = make_factors(s, seed), old = make_factors(s, seed + 1);
  const matrix<float> empty(s.m, s.p, s.ldc, before);
  on_device d_a(old.a), d_b(old.b), d_c(empty);
  coalesce::pinned_buffer<float> late(static_cast<std::int64_t>(f.a.values.size()));
  std::copy(f.a.values.begin(), f.a.values.end(), late.data());
  d_b.put(f.b);
  COALESCE_CHECK(cudaDeviceSynchronize());
  const coalesce::stream stream(coalesce::stream_kind::independent);
  COALESCE_CHECK(
      cudaMemcpyAsync(d_a.data(), late.data(), late.bytes(), cudaMemcpyHostToDevice, stream));
  v.multiply(d_a.data(), d_b.data(), d_c.data(), s, 32, stream);
  stream.synchronize();
  COALESCE_CHECK(cudaDeviceSynchronize());
  const outcome found = compare_exactly(d_c.get(), product_of(f, s), {});
  if (found.right()) return found;
  return {"wrong_stream", found.message + ": it did not wait for what was in its stream"};
}

/// Rows of one of the matrices lie 4 GiB apart: an int cannot count the elements between them.
inline outcome check_far(const version& v, char which, std::uint64_t seed) {
  constexpr std::int64_t far = std::int64_t{1} << 30;
  const shape near{.m = 3, .n = 3, .p = 3, .lda = 3, .ldb = 3, .ldc = 3};
  shape s = near;
  (which == 'A' ? s.lda : which == 'B' ? s.ldb : s.ldc) = far;
  std::size_t free = 0, total = 0;
  COALESCE_CHECK(cudaMemGetInfo(&free, &total));
  if (free < 3 * far * sizeof(float)) return {};  // this device has no room to see it
  const factors f = make_factors(near, seed);
  matrix<float> got(3, 3, 3, before);
  coalesce::device_buffer<float> d_a(2 * s.lda + 3), d_b(2 * s.ldb + 3), d_c(2 * s.ldc + 3);
  const auto copy = [](void* to, std::int64_t ld_to, const void* from, std::int64_t ld_from) {
    COALESCE_CHECK(cudaMemcpy2D(to, ld_to * sizeof(float), from, ld_from * sizeof(float),
                                3 * sizeof(float), 3, cudaMemcpyDefault));
  };
  copy(d_a.data(), s.lda, f.a.values.data(), 3);
  copy(d_b.data(), s.ldb, f.b.values.data(), 3);
  copy(d_c.data(), s.ldc, got.values.data(), 3);
  v.multiply(d_a.data(), d_b.data(), d_c.data(), s, 32, nullptr);
  COALESCE_CHECK(cudaDeviceSynchronize());
  copy(got.values.data(), 3, d_c.data(), s.ldc);
  const outcome found = compare_exactly(got, product_of(f, near), {});
  return found.right() ? found : outcome{"index_wrap", found.message};
}

/// A block of more threads than a block can have.
inline outcome check_refusal(const version& v, std::uint64_t seed) {
  const shape s = with_padding(3, 3, 3);
  const factors f = make_factors(s, seed);
  on_device d_a(f.a), d_b(f.b), d_c(matrix<float>(3, 3, s.ldc, before));
  try {
    v.multiply(d_a.data(), d_b.data(), d_c.data(), s, 2048, nullptr);
  } catch (const std::exception&) {
    static_cast<void>(cudaGetLastError());
    return check_size(v, s, 32, seed);
  }
  return {"error_swallowed",
          "blocks of 2048 threads were asked for, and nobody said that there are none"};
}

/// Kahan --------------------------------------------------------------------------------------------

/// One element summed in floats of the host, term by term; `lost` is what it begins and ends with.
inline float compensated(const factors& f, std::int64_t row, std::int64_t col, float sign,
                         float& lost) {
  volatile float sum = 0, next, back;
  for (std::int64_t k = 0; k < f.a.cols; ++k) {
    volatile float term = f.a.at(row, k) * f.b.at(k, col);
    term = term - sign * lost;
    next = sum + term;
    back = next - sum;
    lost = back - term;
    sum = next;
  }
  return sum;
}

/// Two passes of threads over the columns. In the first pass 2^24 is followed by an odd number of ones, so
/// that something stays lost at the end; in the second come small sums, which show what was left over.
inline outcome check_kahan(const version& v, std::uint64_t seed) {
  const int threads = 32;
  const shape s = with_padding(3, 200, 2 * threads);
  factors f = make_factors(s, seed);
  const auto ones = coalesce::random_ints(s.p, 20, 98, seed);
  for (std::int64_t row = 0; row < s.m; ++row)
    for (std::int64_t k = 0; k < s.n; ++k) f.a.at(row, k) = 1;
  for (std::int64_t col = 0; col < s.p; ++col)
    for (std::int64_t k = 0; k < s.n; ++k)
      f.b.at(k, col) = k == 0                   ? (col < threads ? 0x1p24f : 0)
                       : k <= 2 * ones[col] + 1 ? 1.0f
                                                : 0.0f;
  on_device d_a(f.a), d_b(f.b), d_c(matrix<float>(s.m, s.p, s.ldc, before));
  v.multiply(d_a.data(), d_b.data(), d_c.data(), s, threads, nullptr);
  COALESCE_CHECK(cudaDeviceSynchronize());
  const matrix<float> got = d_c.get();

  const auto with_sign = [&f](float sign) {
    return [&f, sign](std::int64_t row, std::int64_t col) {
      float lost = 0;
      return double{compensated(f, row, col, sign, lost)};
    };
  };
  const auto carried = [&f](std::int64_t row, std::int64_t col) {
    float lost = 0;
    if (col >= threads) compensated(f, row, col - threads, 1, lost);
    return double{compensated(f, row, col, 1, lost)};
  };
  for (std::int64_t row = 0; row < s.m; ++row)
    for (std::int64_t col = 0; col < s.p; ++col) {
      const double want = partial(f, row, col, 0, s.n);
      if (std::fabs(got.at(row, col) - want) <= (col < threads ? 1 : 0)) continue;
      const std::string what = is_not("C" + place(row, col), got.at(row, col), want);
      if (explains(with_sign(0), got)) return {"correction_unused", what};
      if (explains(with_sign(-1), got)) return {"correction_of_wrong_sign", what};
      if (explains(carried, got)) return {"correction_not_reset", what};
      return {"wrong_correction", what};
    }
  return {};
}

/// 1 + 2^30 + 1 - 2^30 is 2. Kahan's sum in floats loses the first 1 and gets the second one back too
/// late; doubles lose nothing.
inline outcome check_large_terms(const version& v, double want, const std::string& reason,
                                 const std::string& says) {
  const shape s{.m = 1, .n = 4, .p = 1, .lda = 4, .ldb = 1, .ldc = 1};
  factors f = make_factors(s, 1);
  const float terms[] = {1, 0x1p30f, 1, -0x1p30f};
  for (std::int64_t k = 0; k < s.n; ++k) f.a.at(0, k) = terms[k], f.b.at(k, 0) = 1;
  on_device d_a(f.a), d_b(f.b), d_c(matrix<float>(1, 1, 1, before));
  v.multiply(d_a.data(), d_b.data(), d_c.data(), s, 32, nullptr);
  COALESCE_CHECK(cudaDeviceSynchronize());
  const float got = d_c.get().at(0, 0);
  if (got == want) return {};
  return {reason, is_not("the sum of 1, 2^30, 1 and -2^30", got, want) + says};
}

/// The row in shared memory -------------------------------------------------------------------------

inline outcome check_long_row(const version& v, std::int64_t n, std::uint64_t seed) {
  try {
    return check_size(v, {.m = 2, .n = n, .p = 2, .lda = n + 3, .ldb = 2, .ldc = 2}, 256, seed);
  } catch (const std::length_error& e) {
    return {"refused_too_early", std::string("such a row fits, and was refused: ") + e.what()};
  }
}

inline std::int64_t most_floats() {
  int device = 0, bytes = 0;
  COALESCE_CHECK(cudaGetDevice(&device));
  COALESCE_CHECK(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
  return bytes / 4;
}

inline outcome check_row_limit(const version& v, std::uint64_t seed) {
  const std::int64_t most = most_floats();
  if (most_columns_of_shared_row() != most)
    return {"wrong_limit",
            is_not("the most columns", static_cast<double>(most_columns_of_shared_row()),
                   static_cast<double>(most))};
  if (const outcome found = check_long_row(v, most, seed); !found.right()) return found;
  try {
    const std::int64_t n = most + 1;
    check_size(v, {.m = 2, .n = n, .p = 2, .lda = n, .ldb = 2, .ldc = 2}, 256, seed);
    return {"refusal_missing",
            "a row of " + std::to_string(n) + " floats does not fit, and nobody said so"};
  } catch (const coalesce::cuda_error& e) {
    static_cast<void>(cudaGetLastError());
    return {"refusal_missing", std::string("the refusal came from CUDA: ") + e.what()};
  } catch (const std::exception& e) {
    if (std::string(e.what()).find(std::to_string(most)) == std::string::npos)
      return {"limit_not_said",
              "the sentence does not name the limit " + std::to_string(most) + ": " + e.what()};
  }
  const outcome after = check_long_row(v, 100, seed);
  return {after.reason, after.message};
}

}  // namespace lab52::check
