#pragma once

#include <cmath>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "coalesce/device_buffer.hpp"
#include "coalesce/stream.hpp"
#include "coalesce/verify.hpp"
#include "grading/cases.hpp"
#include "lab.hpp"

/// What the checks of this lab share: outputs with guards, and a comparison that names the fault.
namespace lab54::checks {

using coalesce::lab::count_limit;
using coalesce::lab::lab_case;
using coalesce::lab::outcome;
using std::to_string;

#ifdef __CPU_DEVICE__
inline constexpr bool on_gpu = false;
#else
inline constexpr bool on_gpu = true;
#endif

inline constexpr std::int64_t guards = 64;

/// An array of the device that is to be written, poisoned, with guards behind it.
template <class T>
class output {
 public:
  explicit output(std::int64_t n) : n_(n), d_(n + guards) {
    coalesce::poison(d_);
    COALESCE_CHECK(cudaDeviceSynchronize());
  }
  T* data() { return d_.data(); }
  /// Output and guards, after the work in `stream`, and after no other.
  std::vector<T> read(cudaStream_t stream) const { return coalesce::to_host(d_, stream); }
  std::int64_t size() const { return n_; }

 private:
  std::int64_t n_;
  coalesce::device_buffer<T> d_;
};

/// What a known fault would have given; NaN where that cannot be known.
struct fault {
  std::string reason, sentence;
  std::function<double(std::int64_t i)> value;
};

/// What is right: n values and how far off each may be.
struct answer {
  std::int64_t n;
  std::function<double(std::int64_t i)> value;
  std::function<double(std::int64_t i)> allowed = [](std::int64_t) { return 0.0; };

  bool agrees(double got, double want, std::int64_t i) const {
    return got == want || std::fabs(got - want) <= allowed(i);
  }
};

/// Compares output and guards with the answer; what is wrong is the first of `faults` that gives all of
/// what was got, else a wrong value.
template <class T>
outcome compare(std::span<const T> got, const answer& want, const std::vector<fault>& faults = {}) {
  for (std::size_t i = want.n; i < got.size(); ++i)
    if (!coalesce::is_poison(got[i]))
      return {"written_past_end",
              "element " + to_string(i) + " was written, and the output has " + to_string(want.n)};
  for (std::int64_t i = 0; i < want.n; ++i) {
    const auto value = static_cast<double>(got[i]);
    if (want.agrees(value, want.value(i), i)) continue;
    const std::string place = "element " + to_string(i) + " of " + to_string(want.n);
    for (const fault& one : faults) {
      const auto fits = [&](std::int64_t k) {
        const double faulty = one.value(k);
        return std::isnan(faulty) || want.agrees(static_cast<double>(got[k]), faulty, k);
      };
      std::int64_t same = 0, known = 0;
      for (; same < want.n && fits(same); ++same) known += !std::isnan(one.value(same));
      if (same == want.n && known > 0)
        return {one.reason, one.sentence + ": " + place + " is " + to_string(value) + ", not " +
                                to_string(want.value(i))};
    }
    if (coalesce::is_poison(got[i])) return {"not_written", place + " was not written"};
    return {"wrong_value", place + " is " + to_string(value) + ", not " + to_string(want.value(i))};
  }
  return {};
}

/// An answer, and the counts that go with it.
inline outcome with_counts(outcome found, std::vector<count_limit> counts) {
  found.counts = std::move(counts);
  return found;
}

/// n elements, each stored once by a thread of its own.
/// \param rows  into how many pieces without a common warp they fall
inline std::vector<count_limit> one_store_an_element(std::int64_t n, std::int64_t rows = 1) {
  const auto elements = static_cast<double>(n);
  return {{.count = "store_lanes",
           .least = elements,
           .reason = "computed_on_host",
           .message = "the kernels stored fewer elements than the output has"},
          {.count = "store_lanes",
           .most = elements,
           .reason = "stored_twice",
           .message = "the kernels stored elements more than once"},
          {.count = "store_requests",
           .most = static_cast<double>(rows) + elements / 16,
           .reason = "one_thread",
           .message = "the warps stored with few of their lanes"}};
}

/// Nothing but `n` elements may be loaded from global memory.
inline count_limit at_most_loads(std::int64_t n, std::string reason, std::string message) {
  return {.count = "load_lanes",
          .most = static_cast<double>(n),
          .reason = std::move(reason),
          .message = std::move(message)};
}

/// Runs `call`, which must throw `Error`.
template <class Error>
outcome expect_throw(const std::string& what, const std::string& reason,
                     const std::function<void()>& call) {
  try {
    call();
  } catch (const Error&) {
    cudaGetLastError();
    return {};
  } catch (const std::exception& e) {
    cudaGetLastError();
    return {reason, what + " gave another error: " + e.what()};
  }
  return {reason, what + " was accepted without an error"};
}

/// A stream that does not wait for the default stream, so that work in another one is missed.
inline coalesce::stream own_stream() {
  return coalesce::stream(coalesce::stream_kind::independent);
}

inline const std::vector<std::int64_t> sizes = {1, 15, 16, 17, 250, 257, 5000, 0};

}  // namespace lab54::checks
