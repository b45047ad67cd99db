#include "coalesce/verify.hpp"

#include <algorithm>
#include <cstdio>
#include <random>
#include <stdexcept>
#include <thread>

#include "coalesce/format.hpp"

namespace coalesce {
namespace detail {

verdict length_mismatch(std::size_t got, std::size_t want) {
  return {false,
          format_count(static_cast<std::int64_t>(got)) + " elements, the reference has " +
              format_count(static_cast<std::int64_t>(want)),
          std::numeric_limits<double>::infinity()};
}

verdict mismatch(std::size_t index, const std::string& got, const std::string& want, bool poisoned,
                 std::size_t wrong, std::size_t count) {
  std::string text = "element " + format_count(static_cast<std::int64_t>(index)) + " is " + got +
                     ", should be " + want;
  if (poisoned) text += " (never written: it still holds the poison)";
  text += "; " + format_count(static_cast<std::int64_t>(wrong)) + " of " +
          format_count(static_cast<std::int64_t>(count)) + " are wrong";
  return {false, text, 0};
}

std::string in_words(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

std::string in_words(std::int64_t value) {
  return std::to_string(value);
}
std::string in_words(std::uint64_t value) {
  return std::to_string(value);
}

namespace {

bool same(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

}  // namespace

double relative_error(double got, double want, double magnitude) {
  if (same(got, want)) return 0;
  const double error = std::fabs(got - want) / magnitude;
  return std::isfinite(error) ? error : std::numeric_limits<double>::infinity();
}

bool within(double got, double want, double allowed) {
  // An infinite tolerance would let everything pass.
  return same(got, want) || (std::isfinite(got) && std::isfinite(want) && std::isfinite(allowed) &&
                             std::fabs(got - want) <= allowed);
}

}  // namespace detail

std::uint64_t fresh_seed() {
  std::random_device device;
  return (static_cast<std::uint64_t>(device()) << 32) | device();
}

namespace {

/// 64 random bits for a counter: SplitMix64's output function.
inline std::uint64_t bits_of(std::uint64_t seed, std::uint64_t counter) {
  std::uint64_t z = seed + (counter + 1) * 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

/// Calls `fill(first, last)` for pieces of 0 to pairs, on as many threads as the machine has cores.
template <class Fill>
void in_parallel(std::size_t pairs, Fill fill) {
  constexpr std::size_t worth_a_thread = 1 << 18;
  const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
  const std::size_t pieces = std::clamp<std::size_t>(pairs / worth_a_thread, 1, cores);
  std::vector<std::jthread> threads;
  for (std::size_t p = 1; p < pieces; ++p)
    threads.emplace_back(fill, pairs * p / pieces, pairs * (p + 1) / pieces);
  fill(0, pairs / pieces);
}

/// Writes `make(32 random bits)` to every element; elements 2i and 2i + 1 share counter i.
template <class T, class Make>
void fill_pairs(std::span<T> out, std::uint64_t seed, Make make) {
  T* const values = out.data();
  in_parallel(out.size() / 2, [=](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const std::uint64_t bits = bits_of(seed, i);
      values[2 * i] = make(static_cast<std::uint32_t>(bits));
      values[2 * i + 1] = make(static_cast<std::uint32_t>(bits >> 32));
    }
  });
  if (out.size() % 2 != 0)
    out.back() = make(static_cast<std::uint32_t>(bits_of(seed, out.size() / 2)));
}

std::size_t checked_count(std::int64_t count) {
  if (count < 0) throw std::invalid_argument("a negative number of random values");
  return static_cast<std::size_t>(count);
}

}  // namespace

void fill_random_ints(std::span<std::int32_t> out, std::int32_t lo, std::int32_t hi,
                      std::uint64_t seed) {
  if (lo > hi) throw std::invalid_argument("random integers from an empty range");
  const std::uint64_t width = static_cast<std::uint64_t>(static_cast<std::int64_t>(hi) - lo) + 1;
  fill_pairs(out, seed, [=](std::uint32_t bits) {
    // modulo 2^32 on purpose: lo + offset never leaves lo … hi
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(lo) +
                                     static_cast<std::uint32_t>((bits * width) >> 32));
  });
}

void fill_random_floats(std::span<float> out, float lo, float hi, std::uint64_t seed) {
  if (!(std::isfinite(lo) && std::isfinite(hi) && lo < hi))
    throw std::invalid_argument("random floats need finite lo < hi");
  const float width = hi - lo;
  if (!std::isfinite(width)) throw std::invalid_argument("random floats: hi - lo overflows");
  const float last = std::nextafter(hi, lo);
  fill_pairs(out, seed, [=](std::uint32_t bits) {
    const float unit = static_cast<float>(bits >> 8) * 0x1p-24f;
    return std::min(lo + width * unit, last);  // rounding must not reach hi
  });
}

std::vector<std::int32_t> random_ints(std::int64_t count, std::int32_t lo, std::int32_t hi,
                                      std::uint64_t seed) {
  std::vector<std::int32_t> values(checked_count(count));
  fill_random_ints(values, lo, hi, seed);
  return values;
}

std::vector<float> random_floats(std::int64_t count, float lo, float hi, std::uint64_t seed) {
  std::vector<float> values(checked_count(count));
  fill_random_floats(values, lo, hi, seed);
  return values;
}

}  // namespace coalesce
