/// @file
/// Conversions between float and the 16-bit formats, bit by bit, so that every machine gives the
/// same; and their atomic additions.
#include <cpu_device/small_float.h>

#include <cmath>
#include <cstdint>
#include <cstring>

#include "instrumentation.h"

namespace {

struct Format {
  int exponent_bits, mantissa_bits;
  int least_exponent() const { return 2 - (1 << (exponent_bits - 1)); }  // of a normal number
  int infinity() const { return ((1 << exponent_bits) - 1) << mantissa_bits; }
};
constexpr Format kFormats[] = {{5, 10}, {8, 7}};

/// |value| in the format, as an integer that grows with the value; may reach beyond infinity.
uint64_t magnitude(double value, const Format& format, bool up, bool nearest) {
  const int exponent =
      std::max(value == 0 ? format.least_exponent() : std::ilogb(value), format.least_exponent());
  const double scaled = std::ldexp(value, format.mantissa_bits - exponent);  // exact
  auto whole = static_cast<uint64_t>(scaled);
  const double rest = scaled - static_cast<double>(whole);
  if (nearest ? rest > 0.5 || (rest == 0.5 && whole % 2 == 1) : up && rest > 0) ++whole;
  // The hidden bit of a normal number counts as one step of the exponent.
  return whole +
         (static_cast<uint64_t>(exponent - format.least_exponent()) << format.mantissa_bits);
}

unsigned short add(unsigned short a, unsigned short b, int format) {
  return cpu_device_to_small(
      cpu_device_small_to_float(a, format) + cpu_device_small_to_float(b, format), format,
      cpu_device_to_nearest);
}

unsigned short atomic_add(unsigned short* address, unsigned short bits, int format) {
  unsigned short old = __atomic_load_n(address, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(address, &old, add(old, bits, format), true, __ATOMIC_SEQ_CST,
                                      __ATOMIC_RELAXED)) {
  }
  return old;
}

}  // namespace

extern "C" {

unsigned short cpu_device_to_small(double value, int which, int rounding) {
  const Format& format = kFormats[which];
  const bool negative = std::signbit(value);
  const unsigned sign = negative ? 0x8000u : 0;
  if (std::isnan(value)) return 0x7fff;  // the GPU's canonical NaN
  const auto infinity = static_cast<uint64_t>(format.infinity());
  if (std::isinf(value)) return static_cast<unsigned short>(sign | infinity);
  const bool up = rounding == (negative ? cpu_device_downwards : cpu_device_upwards);
  const bool nearest = rounding == cpu_device_to_nearest;
  uint64_t bits = magnitude(std::fabs(value), format, up, nearest);
  if (bits >= infinity) bits = nearest || up ? infinity : infinity - 1;
  return static_cast<unsigned short>(sign | bits);
}

float cpu_device_small_to_float(unsigned short bits, int which) {
  const Format& format = kFormats[which];
  const int magnitude = bits & 0x7fff;
  const float sign = bits & 0x8000 ? -1.0f : 1.0f;
  const int mantissa = magnitude & ((1 << format.mantissa_bits) - 1);
  const int exponent = magnitude >> format.mantissa_bits;
  if (magnitude >= format.infinity()) return mantissa ? NAN : sign * INFINITY;
  const int whole = exponent ? mantissa + (1 << format.mantissa_bits) : mantissa;
  const int least = format.least_exponent() - format.mantissa_bits;
  return sign * std::ldexp(static_cast<float>(whole), least + (exponent ? exponent - 1 : 0));
}

unsigned short cpu_device_atomic_add_small(unsigned short* address, unsigned short bits,
                                           int format) {
  cpu_device::on_atomic(address, 2, __builtin_return_address(0));
  return atomic_add(address, bits, format);
}

void cpu_device_atomic_add_small_pair(unsigned short* address, unsigned short* old,
                                      unsigned short low, unsigned short high, int format) {
  cpu_device::on_atomic(address, 4, __builtin_return_address(0));
  old[0] = atomic_add(address, low, format);
  old[1] = atomic_add(address + 1, high, format);
}

}  // extern "C"
