/// @file
/// Special functions beyond the C library's: error functions, Bessel functions, norms.
#pragma once
#pragma GCC system_header

#define CPU_DEVICE_BOTH CPU_DEVICE_FUNCTION inline __attribute__((always_inline))
#define CPU_DEVICE_OUTLINE CPU_DEVICE_FUNCTION inline

// The float forms round the double ones.
CPU_DEVICE_OUTLINE double erfcx(double x) {
  if (x < 25.0) return ::exp(x * x) * ::erfc(x);
  const double t = 1.0 / (2.0 * x * x);  // the asymptotic series, exact to a double from 25 on
  return (1.0 -
          t * (1.0 -
               3.0 * t * (1.0 - 5.0 * t * (1.0 - 7.0 * t * (1.0 - 9.0 * t * (1.0 - 11.0 * t)))))) /
         (x * 1.7724538509055160273);
}
/// Newton's steps with the second derivative, from a logarithmic first guess.
CPU_DEVICE_OUTLINE double erfcinv(double y) {
  if (!(y > 0.0 && y < 2.0)) {
    return y == 0.0 ? HUGE_VAL : y == 2.0 ? -HUGE_VAL : __builtin_nan("");
  }
  const double tail = y < 1.0 ? y : 2.0 - y, log_term = ::log(tail * (2.0 - tail));
  const double half = 2.0 / (3.14159265358979323846 * 0.147) + 0.5 * log_term;
  double x = ::sqrt(::sqrt(half * half - log_term / 0.147) - half);
  for (int step = 0; step < 4; ++step) {
    const double error = (::erfc(x) - tail) / (-1.12837916709551257390 * ::exp(-x * x));
    x -= error / (1.0 + x * error);
  }
  return y < 1.0 ? x : -x;
}
CPU_DEVICE_OUTLINE double erfinv(double y) {
  const double size = y < 0.0 ? -y : y;
  double x = erfcinv(1.0 - size);
  if (size < 0.5) {  // 1 - y has lost digits
    for (int step = 0; step < 2; ++step) {
      x -= (::erf(x) - size) / (1.12837916709551257390 * ::exp(-x * x));
    }
  }
  return y < 0.0 ? -x : x;
}
CPU_DEVICE_OUTLINE double normcdfinv(double y) {
  return -1.41421356237309504880 * erfcinv(2.0 * y);
}
/// The power series, all of whose terms have one sign.
CPU_DEVICE_OUTLINE double cpu_device_bessel_i(int order, double x) {
  double term = order ? 0.5 * x : 1.0, sum = term;
  for (int k = 1; k < 2000 && ::fabs(term) > 1e-18 * ::fabs(sum); ++k) {
    term *= 0.25 * x * x / (static_cast<double>(k) * (k + order));
    sum += term;
  }
  return sum;
}
CPU_DEVICE_OUTLINE double cyl_bessel_i0(double x) {
  return cpu_device_bessel_i(0, x);
}
CPU_DEVICE_OUTLINE double cyl_bessel_i1(double x) {
  return cpu_device_bessel_i(1, x);
}
#define CPU_DEVICE_FLOAT_FORM(Name)             \
  CPU_DEVICE_BOTH float Name##f(float x) {      \
    return static_cast<float>(Name(double{x})); \
  }
CPU_DEVICE_FLOAT_FORM(erfcx)
CPU_DEVICE_FLOAT_FORM(erfcinv)
CPU_DEVICE_FLOAT_FORM(erfinv)
CPU_DEVICE_FLOAT_FORM(normcdfinv)
CPU_DEVICE_FLOAT_FORM(cyl_bessel_i0)
CPU_DEVICE_FLOAT_FORM(cyl_bessel_i1)
#undef CPU_DEVICE_FLOAT_FORM

CPU_DEVICE_BOTH void sincospi(double x, double* sine, double* cosine) {
  *sine = sinpi(x);
  *cosine = cospi(x);
}
CPU_DEVICE_BOTH void sincospif(float x, float* sine, float* cosine) {
  *sine = sinpif(x);
  *cosine = cospif(x);
}
CPU_DEVICE_BOTH double rcbrt(double x) {
  return 1.0 / ::cbrt(x);
}
CPU_DEVICE_BOTH float fdividef(float a, float b) {
  return a / b;
}
CPU_DEVICE_BOTH double norm3d(double a, double b, double c) {
  return ::sqrt(a * a + b * b + c * c);
}
CPU_DEVICE_BOTH double norm4d(double a, double b, double c, double d) {
  return ::sqrt(a * a + b * b + c * c + d * d);
}
CPU_DEVICE_BOTH float norm4df(float a, float b, float c, float d) {
  return sqrtf(a * a + b * b + c * c + d * d);
}
// Of vectors of any length.
CPU_DEVICE_OUTLINE double norm(int n, const double* values) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += values[i] * values[i];
  return ::sqrt(sum);
}
CPU_DEVICE_OUTLINE float normf(int n, const float* values) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += double{values[i]} * values[i];
  return static_cast<float>(::sqrt(sum));
}
CPU_DEVICE_BOTH double rnorm(int n, const double* values) {
  return 1.0 / norm(n, values);
}
CPU_DEVICE_BOTH float rnormf(int n, const float* values) {
  return 1.0f / normf(n, values);
}
CPU_DEVICE_BOTH double rhypot(double a, double b) {
  return 1.0 / ::hypot(a, b);
}
CPU_DEVICE_BOTH float rhypotf(float a, float b) {
  return 1.0f / hypotf(a, b);
}
CPU_DEVICE_BOTH double rnorm3d(double a, double b, double c) {
  return 1.0 / norm3d(a, b, c);
}
CPU_DEVICE_BOTH float rnorm3df(float a, float b, float c) {
  return 1.0f / norm3df(a, b, c);
}
CPU_DEVICE_BOTH double rnorm4d(double a, double b, double c, double d) {
  return 1.0 / norm4d(a, b, c, d);
}
CPU_DEVICE_BOTH float rnorm4df(float a, float b, float c, float d) {
  return 1.0f / norm4df(a, b, c, d);
}
#undef CPU_DEVICE_OUTLINE
#undef CPU_DEVICE_BOTH
