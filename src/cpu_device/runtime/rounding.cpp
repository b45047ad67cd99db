/// @file
/// Arithmetic and conversions in the CPU's other roundings. Operands and results are volatile, so
/// that no compiler moves the operation out of the stretch in which the rounding is switched.
#include <cuda_runtime.h>

#include <cfenv>
#include <cmath>

namespace {

class Rounding {
 public:
  explicit Rounding(int rounding) : before_(std::fegetround()) {
    std::fesetround(rounding == cpu_device_to_zero     ? FE_TOWARDZERO
                    : rounding == cpu_device_upwards   ? FE_UPWARD
                    : rounding == cpu_device_downwards ? FE_DOWNWARD
                                                       : FE_TONEAREST);
  }
  ~Rounding() { std::fesetround(before_); }

 private:
  int before_;
};

template <class T>
T compute(int arithmetic, T a, T b, T c, int rounding) {
  volatile T x = a, y = b, z = c, result = 0;
  const Rounding here(rounding);
  switch (arithmetic) {
    case cpu_device_sum:
      result = x + y;
      break;
    case cpu_device_difference:
      result = x - y;
      break;
    case cpu_device_product:
      result = x * y;
      break;
    case cpu_device_quotient:
      result = x / y;
      break;
    case cpu_device_root:
      result = std::sqrt(x);
      break;
    case cpu_device_fused:
      result = std::fma(x, y, z);
      break;
  }
  return result;
}

/// Zero is zero in every rounding; the sequences that compilers use for unsigned ones may make it
/// negative.
template <class To, class From>
To convert(From from, int rounding) {
  if (from == From(0)) return static_cast<To>(from);
  volatile From x = from;
  volatile To result = 0;
  const Rounding here(rounding);
  result = static_cast<To>(x);
  return result;
}

}  // namespace

extern "C" {

float cpu_device_float(int arithmetic, float a, float b, float c, int rounding) {
  if (arithmetic == cpu_device_inverse_root) {
    return static_cast<float>(1.0L / std::sqrt(static_cast<long double>(a)));
  }
  return compute(arithmetic, a, b, c, rounding);
}
double cpu_device_double(int arithmetic, double a, double b, double c, int rounding) {
  return compute(arithmetic, a, b, c, rounding);
}
float cpu_device_signed_to_float(long long x, int rounding) {
  return convert<float>(x, rounding);
}
float cpu_device_unsigned_to_float(unsigned long long x, int rounding) {
  return convert<float>(x, rounding);
}
double cpu_device_signed_to_double(long long x, int rounding) {
  return convert<double>(x, rounding);
}
double cpu_device_unsigned_to_double(unsigned long long x, int rounding) {
  return convert<double>(x, rounding);
}
float cpu_device_double_to_float(double x, int rounding) {
  return convert<float>(x, rounding);
}

}  // extern "C"
