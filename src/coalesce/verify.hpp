#pragma once

#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "coalesce/device_buffer.hpp"

#ifdef __FAST_MATH__
#error "Coalesce is not compiled with -ffast-math: with it NaN passes every comparison."
#endif

/// \defgroup verification Verification: fresh input, poisoned output, comparisons that NaN fails
/// A step is timed only after its answer was found right by these.
/// @{

namespace coalesce {

/// Outcome of a comparison.
struct verdict {
  bool ok = false;                ///< every element was right
  std::string message = {};       ///< first mismatch with its index and both values; empty when ok
  double max_relative_error = 0;  ///< largest |got - want| / magnitude; infinity for NaN and length

  /// True when every element was right.
  explicit operator bool() const noexcept { return ok; }
};

/// Relative distance from 1 to the next larger number of type `T`: 2^-23 for float.
///
/// Specialise it for a type that std::numeric_limits does not know.
template <class T>
inline constexpr double machine_epsilon = static_cast<double>(std::numeric_limits<T>::epsilon());

/// How far a result may lie from the reference.
///
/// Element i passes when |got - want| <= factor * terms * eps * magnitude, where eps is
/// machine_epsilon of its type and magnitude is the sum of the absolute values of what was added
/// up (|want| where none is given). So the tolerance grows with the work and with the data, and
/// there is no fixed epsilon.
/// \par Source
/// N. J. Higham, Accuracy and Stability of Numerical Algorithms, sections 3.1 and 4.2: a sum of n
/// products in any order errs by at most about n * u * sum |a_i b_i| with u = eps / 2; the factor
/// of 2 between u and eps is our slack.
struct tolerance {
  double factor = 1;  ///< K: slack on top of the bound
  double terms = 1;   ///< roundings that can add up in one element, such as the terms of a sum
};

/// \cond internal
namespace detail {
verdict length_mismatch(std::size_t got, std::size_t want);
verdict mismatch(std::size_t index, const std::string& got, const std::string& want, bool poisoned,
                 std::size_t wrong, std::size_t count);
std::string in_words(double value);
std::string in_words(std::int64_t value);
std::string in_words(std::uint64_t value);
/// |got - want| / magnitude, 0 where both agree (also in NaN or infinity), infinity where only one
/// is finite or magnitude is 0.
double relative_error(double got, double want, double magnitude);
/// True only when both are finite and differ by at most `allowed`, itself finite, or both are the
/// same non-finite value.
bool within(double got, double want, double allowed);
}  // namespace detail
/// \endcond

/// Byte that poison() writes for elements of type `T`: 0xFF makes every floating-point type NaN;
/// integers become 0xA5A5…, which no course example yields by chance.
template <class T>
inline constexpr unsigned char poison_byte = std::integral<T> ? 0xA5 : 0xFF;

/// Overwrites a buffer with the poison pattern, so that an element nobody writes is found.
/// \par Stream behaviour
/// Enqueued on `stream`; returns at once.
/// \throws cuda_error
template <class T>
void poison(device_buffer<T>& buffer, cudaStream_t stream = nullptr) {
  buffer.fill_bytes(poison_byte<T>, stream);
}

/// The same for memory of the host.
template <class T>
void poison(std::span<T> values) {
  if (!values.empty()) std::memset(values.data(), poison_byte<T>, values.size_bytes());
}

/// True when `value` still has the poison pattern, byte for byte.
template <class T>
bool is_poison(const T& value) {
  unsigned char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));
  for (const unsigned char byte : bytes)
    if (byte != poison_byte<T>) return false;
  return true;
}

/// Index of the first element that nobody wrote since poison(); nothing when all were written.
template <class T>
std::optional<std::size_t> still_poisoned(std::span<const T> values) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if (is_poison(values[i])) return i;
  return std::nullopt;
}

/// Compares integers, which must be equal.
/// \param got  the device's answer
/// \param want the reference, of the same length
template <std::integral T>
verdict expect_equal(std::span<const T> got, std::span<const T> want) {
  if (got.size() != want.size()) return detail::length_mismatch(got.size(), want.size());
  using wide = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
  std::size_t first = 0, wrong = 0;
  double worst = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (got[i] == want[i]) continue;
    if (wrong++ == 0) first = i;
    const double w = static_cast<double>(want[i]);
    worst = std::fmax(worst, detail::relative_error(static_cast<double>(got[i]), w, std::fabs(w)));
  }
  if (wrong == 0) return {true, {}, 0};
  verdict v = detail::mismatch(first, detail::in_words(static_cast<wide>(got[first])),
                               detail::in_words(static_cast<wide>(want[first])),
                               is_poison(got[first]), wrong, got.size());
  v.max_relative_error = worst;
  return v;
}

/// Compares floating-point results with a reference in double precision.
///
/// Only "difference within tolerance" passes, so NaN fails; NaN and infinity pass only where the
/// reference is the same.
/// \param got       the device's answer
/// \param want      the reference, of the same length
/// \param allowed   see tolerance
/// \param magnitude sum of the absolute values that made each element, of the same length; empty:
///                  |want|
/// \tparam T float, double, or a type that converts to double and has a machine_epsilon
template <class T>
verdict compare(std::span<const T> got, std::span<const double> want, tolerance allowed,
                std::span<const double> magnitude = {}) {
  if (got.size() != want.size()) return detail::length_mismatch(got.size(), want.size());
  if (!magnitude.empty() && magnitude.size() != want.size())
    return detail::length_mismatch(magnitude.size(), want.size());
  const double relative = allowed.factor * allowed.terms * machine_epsilon<T>;
  std::size_t first = 0, wrong = 0;
  double worst = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double g = static_cast<double>(got[i]);
    const double scale = magnitude.empty() ? std::fabs(want[i]) : magnitude[i];
    worst = std::fmax(worst, detail::relative_error(g, want[i], scale));
    if (detail::within(g, want[i], relative * scale)) continue;
    if (wrong++ == 0) first = i;
  }
  if (wrong == 0) return {true, {}, worst};
  verdict v =
      detail::mismatch(first, detail::in_words(static_cast<double>(got[first])),
                       detail::in_words(want[first]), is_poison(got[first]), wrong, got.size());
  v.max_relative_error = worst;
  return v;
}

/// A seed that no earlier run had, from the system's source of randomness.
std::uint64_t fresh_seed();

/// Fills `out` with integers drawn evenly from lo to hi, both included.
///
/// Element i depends on seed and i only: not on the number of elements or threads. Uses the
/// machine's cores for large arrays.
/// \param out where to write \param lo least value \param hi largest value \param seed any number
/// \throws std::invalid_argument when lo > hi
/// \par Source
/// SplitMix64's output function on a counter: G. L. Steele, D. Lea, C. H. Flood, Fast splittable
/// pseudorandom number generators, 2014. Reduction to a range by multiply and shift: D. Lemire,
/// Fast random integer generation in an interval, 2019 (its bias is below 2^-32 a value here).
void fill_random_ints(std::span<std::int32_t> out, std::int32_t lo, std::int32_t hi,
                      std::uint64_t seed);

/// Fills `out` with floats drawn evenly from lo (included) to hi (not included), 24 random bits
/// each; otherwise as fill_random_ints().
/// \throws std::invalid_argument unless lo < hi and both are finite
void fill_random_floats(std::span<float> out, float lo, float hi, std::uint64_t seed);

/// `count` integers as fill_random_ints() draws them.
/// \throws std::invalid_argument when lo > hi or count is negative
std::vector<std::int32_t> random_ints(std::int64_t count, std::int32_t lo, std::int32_t hi,
                                      std::uint64_t seed);

/// `count` floats as fill_random_floats() draws them.
/// \throws std::invalid_argument unless lo < hi, both are finite and count is not negative
std::vector<float> random_floats(std::int64_t count, float lo, float hi, std::uint64_t seed);

}  // namespace coalesce

/// @}
