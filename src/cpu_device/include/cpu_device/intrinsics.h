/// @file
/// The rarer intrinsics: special functions, conversions, averages, and the instructions that treat
/// a 32-bit word as two or four integers. Rounding modes other than to-nearest are not modelled.
#pragma once
#pragma GCC system_header

#define CPU_DEVICE_BOTH CPU_DEVICE_FUNCTION inline __attribute__((always_inline))
#define CPU_DEVICE_ONLY __device__ inline __attribute__((always_inline))
#define CPU_DEVICE_OUTLINE CPU_DEVICE_FUNCTION inline

// Special functions. The float forms round the double ones.
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
CPU_DEVICE_ONLY double __dsqrt_rn(double x) {
  return ::sqrt(x);
}
CPU_DEVICE_ONLY double __drcp_rn(double x) {
  return 1.0 / x;
}

// Conversions. To an integer, the four ways of rounding differ; from one, they are not modelled.
#define CPU_DEVICE_TO_INTEGER(Prefix, From, Integer) \
  CPU_DEVICE_ONLY Integer Prefix##_rn(From x) {      \
    return static_cast<Integer>(::rint(double{x}));  \
  }                                                  \
  CPU_DEVICE_ONLY Integer Prefix##_rz(From x) {      \
    return static_cast<Integer>(x);                  \
  }                                                  \
  CPU_DEVICE_ONLY Integer Prefix##_rd(From x) {      \
    return static_cast<Integer>(::floor(double{x})); \
  }                                                  \
  CPU_DEVICE_ONLY Integer Prefix##_ru(From x) {      \
    return static_cast<Integer>(::ceil(double{x}));  \
  }
CPU_DEVICE_TO_INTEGER(__float2int, float, int)
CPU_DEVICE_TO_INTEGER(__float2uint, float, unsigned int)
CPU_DEVICE_TO_INTEGER(__float2ll, float, long long)
CPU_DEVICE_TO_INTEGER(__float2ull, float, unsigned long long)
CPU_DEVICE_TO_INTEGER(__double2int, double, int)
CPU_DEVICE_TO_INTEGER(__double2uint, double, unsigned int)
CPU_DEVICE_TO_INTEGER(__double2ll, double, long long)
CPU_DEVICE_TO_INTEGER(__double2ull, double, unsigned long long)
#undef CPU_DEVICE_TO_INTEGER
#define CPU_DEVICE_ROUNDED(Name, From, To) \
  CPU_DEVICE_ONLY To Name(From x) {        \
    return static_cast<To>(x);             \
  }
#define CPU_DEVICE_FROM(Prefix, From, To)   \
  CPU_DEVICE_ROUNDED(Prefix##_rn, From, To) \
  CPU_DEVICE_ROUNDED(Prefix##_rz, From, To) \
  CPU_DEVICE_ROUNDED(Prefix##_rd, From, To) \
  CPU_DEVICE_ROUNDED(Prefix##_ru, From, To)
CPU_DEVICE_FROM(__int2float, int, float)
CPU_DEVICE_FROM(__uint2float, unsigned int, float)
CPU_DEVICE_FROM(__ll2float, long long, float)
CPU_DEVICE_FROM(__ull2float, unsigned long long, float)
CPU_DEVICE_FROM(__ll2double, long long, double)
CPU_DEVICE_FROM(__ull2double, unsigned long long, double)
CPU_DEVICE_FROM(__double2float, double, float)
CPU_DEVICE_ROUNDED(__int2double_rn, int, double)
CPU_DEVICE_ROUNDED(__uint2double_rn, unsigned int, double)
#undef CPU_DEVICE_FROM
#undef CPU_DEVICE_ROUNDED
CPU_DEVICE_ONLY int __double2hiint(double x) {
  return static_cast<int>(cpu_device_bits<unsigned long long>(x) >> 32);
}
CPU_DEVICE_ONLY int __double2loint(double x) {
  return static_cast<int>(cpu_device_bits<unsigned long long>(x));
}
CPU_DEVICE_ONLY double __hiloint2double(int high, int low) {
  return cpu_device_bits<double>(
      (static_cast<unsigned long long>(static_cast<unsigned>(high)) << 32) |
      static_cast<unsigned>(low));
}

// Integers.
CPU_DEVICE_BOTH unsigned int umin(unsigned int a, unsigned int b) {
  return a < b ? a : b;
}
CPU_DEVICE_BOTH unsigned int umax(unsigned int a, unsigned int b) {
  return a > b ? a : b;
}
CPU_DEVICE_BOTH long long llmin(long long a, long long b) {
  return a < b ? a : b;
}
CPU_DEVICE_BOTH long long llmax(long long a, long long b) {
  return a > b ? a : b;
}
CPU_DEVICE_BOTH unsigned long long ullmin(unsigned long long a, unsigned long long b) {
  return a < b ? a : b;
}
CPU_DEVICE_BOTH unsigned long long ullmax(unsigned long long a, unsigned long long b) {
  return a > b ? a : b;
}
CPU_DEVICE_ONLY unsigned int __sad(int a, int b, unsigned int c) {
  return (a > b ? static_cast<unsigned>(a) - static_cast<unsigned>(b)
                : static_cast<unsigned>(b) - static_cast<unsigned>(a)) +
         c;
}
CPU_DEVICE_ONLY int __hadd(int a, int b) {
  return static_cast<int>((static_cast<long long>(a) + b) >> 1);
}
CPU_DEVICE_ONLY int __rhadd(int a, int b) {
  return static_cast<int>((static_cast<long long>(a) + b + 1) >> 1);
}
CPU_DEVICE_ONLY unsigned int __uhadd(unsigned int a, unsigned int b) {
  return static_cast<unsigned>((static_cast<unsigned long long>(a) + b) >> 1);
}
CPU_DEVICE_ONLY unsigned int __urhadd(unsigned int a, unsigned int b) {
  return static_cast<unsigned>((static_cast<unsigned long long>(a) + b + 1) >> 1);
}
CPU_DEVICE_ONLY unsigned int __funnelshift_lc(unsigned int low, unsigned int high,
                                              unsigned int shift) {
  return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}
CPU_DEVICE_ONLY unsigned int __funnelshift_rc(unsigned int low, unsigned int high,
                                              unsigned int shift) {
  return shift >= 32 ? high : __funnelshift_r(low, high, shift);
}

// A word as two or four integers. Part: the type of one of them, which gives width and sign.
template <class Part, class Operation>
CPU_DEVICE_ONLY unsigned int cpu_device_parts(unsigned int a, unsigned int b, Operation operation) {
  constexpr int bits = 8 * sizeof(Part);
  constexpr unsigned int mask = (1u << bits) - 1;
  unsigned int result = 0;
  for (int shift = 0; shift < 32; shift += bits) {
    result |= (static_cast<unsigned>(operation(static_cast<int>(static_cast<Part>(a >> shift)),
                                               static_cast<int>(static_cast<Part>(b >> shift)))) &
               mask)
              << shift;
  }
  return result;
}
template <class Part>
CPU_DEVICE_ONLY int cpu_device_saturated(int x) {
  constexpr int bits = 8 * sizeof(Part);
  constexpr int low = static_cast<Part>(-1) < 0 ? -(1 << (bits - 1)) : 0;
  constexpr int high = low + (1 << bits) - 1;
  return x < low ? low : x > high ? high : x;
}
#define CPU_DEVICE_PARTS(Name, Part, expression)                                       \
  CPU_DEVICE_ONLY unsigned int Name(unsigned int a, unsigned int b) {                  \
    return cpu_device_parts<Part>(                                                     \
        a, b, [](int x, int y) __attribute__((always_inline)) { return expression; }); \
  }
#define CPU_DEVICE_PARTS_OF_ONE(Name, Part, expression)                              \
  CPU_DEVICE_ONLY unsigned int Name(unsigned int a) {                                \
    return cpu_device_parts<Part>(                                                   \
        a, a, [](int x, int) __attribute__((always_inline)) { return expression; }); \
  }
#define CPU_DEVICE_SUM(Name, Part, expression)                                        \
  CPU_DEVICE_ONLY unsigned int Name(unsigned int a, unsigned int b) {                 \
    unsigned int sum = 0;                                                             \
    for (int shift = 0; shift < 32; shift += 8 * static_cast<int>(sizeof(Part))) {    \
      const int x = static_cast<Part>(a >> shift), y = static_cast<Part>(b >> shift); \
      sum += static_cast<unsigned>(expression);                                       \
    }                                                                                 \
    return sum;                                                                       \
  }
#define CPU_DEVICE_COMPARE(name, sign, count, Part, operator_)              \
  CPU_DEVICE_PARTS(__vcmp##name##sign##count, Part, x operator_ y ? -1 : 0) \
  CPU_DEVICE_PARTS(__vset##name##sign##count, Part, x operator_ y ? 1 : 0)
#define CPU_DEVICE_WORD(count, Signed, Unsigned)                                                 \
  CPU_DEVICE_PARTS(__vadd##count, Unsigned, x + y)                                               \
  CPU_DEVICE_PARTS(__vsub##count, Unsigned, x - y)                                               \
  CPU_DEVICE_PARTS(__vaddss##count, Signed, cpu_device_saturated<Signed>(x + y))                 \
  CPU_DEVICE_PARTS(__vaddus##count, Unsigned, cpu_device_saturated<Unsigned>(x + y))             \
  CPU_DEVICE_PARTS(__vsubss##count, Signed, cpu_device_saturated<Signed>(x - y))                 \
  CPU_DEVICE_PARTS(__vsubus##count, Unsigned, cpu_device_saturated<Unsigned>(x - y))             \
  CPU_DEVICE_PARTS(__vmaxs##count, Signed, x > y ? x : y)                                        \
  CPU_DEVICE_PARTS(__vmaxu##count, Unsigned, x > y ? x : y)                                      \
  CPU_DEVICE_PARTS(__vmins##count, Signed, x < y ? x : y)                                        \
  CPU_DEVICE_PARTS(__vminu##count, Unsigned, x < y ? x : y)                                      \
  CPU_DEVICE_PARTS(__vabsdiffs##count, Signed, x > y ? x - y : y - x)                            \
  CPU_DEVICE_PARTS(__vabsdiffu##count, Unsigned, x > y ? x - y : y - x)                          \
  CPU_DEVICE_PARTS(__vavgs##count, Signed, (x + y + (x + y >= 0)) >> 1)                          \
  CPU_DEVICE_PARTS(__vavgu##count, Unsigned, (x + y + 1) >> 1)                                   \
  CPU_DEVICE_PARTS(__vhaddu##count, Unsigned, (x + y) >> 1)                                      \
  CPU_DEVICE_PARTS_OF_ONE(__vneg##count, Signed, -x)                                             \
  CPU_DEVICE_PARTS_OF_ONE(__vnegss##count, Signed, cpu_device_saturated<Signed>(-x))             \
  CPU_DEVICE_PARTS_OF_ONE(__vabs##count, Signed, x < 0 ? -x : x)                                 \
  CPU_DEVICE_PARTS_OF_ONE(__vabsss##count, Signed, cpu_device_saturated<Signed>(x < 0 ? -x : x)) \
  CPU_DEVICE_SUM(__vsads##count, Signed, x > y ? x - y : y - x)                                  \
  CPU_DEVICE_SUM(__vsadu##count, Unsigned, x > y ? x - y : y - x)                                \
  CPU_DEVICE_COMPARE(eq, , count, Unsigned, ==)                                                  \
  CPU_DEVICE_COMPARE(ne, , count, Unsigned, !=)                                                  \
  CPU_DEVICE_COMPARE(ge, s, count, Signed, >=)                                                   \
  CPU_DEVICE_COMPARE(gt, s, count, Signed, >)                                                    \
  CPU_DEVICE_COMPARE(le, s, count, Signed, <=)                                                   \
  CPU_DEVICE_COMPARE(lt, s, count, Signed, <)                                                    \
  CPU_DEVICE_COMPARE(ge, u, count, Unsigned, >=)                                                 \
  CPU_DEVICE_COMPARE(gt, u, count, Unsigned, >)                                                  \
  CPU_DEVICE_COMPARE(le, u, count, Unsigned, <=)                                                 \
  CPU_DEVICE_COMPARE(lt, u, count, Unsigned, <)
CPU_DEVICE_WORD(2, short, unsigned short)
CPU_DEVICE_WORD(4, signed char, unsigned char)
#undef CPU_DEVICE_WORD
#undef CPU_DEVICE_COMPARE
#undef CPU_DEVICE_SUM
#undef CPU_DEVICE_PARTS_OF_ONE
#undef CPU_DEVICE_PARTS

// Dot products of the bytes (and halves) of two words.
#define CPU_DEVICE_DOT_2(Name, Result, Half, Byte, first)                                \
  CPU_DEVICE_ONLY Result Name(Result a, Result b, Result c) {                            \
    for (int i = 0; i < 2; ++i) {                                                        \
      c += static_cast<Half>(a >> (16 * i)) * static_cast<Byte>(b >> (8 * (first + i))); \
    }                                                                                    \
    return c;                                                                            \
  }
CPU_DEVICE_DOT_2(__dp2a_lo, int, short, signed char, 0)
CPU_DEVICE_DOT_2(__dp2a_hi, int, short, signed char, 2)
CPU_DEVICE_DOT_2(__dp2a_lo, unsigned int, unsigned short, unsigned char, 0)
CPU_DEVICE_DOT_2(__dp2a_hi, unsigned int, unsigned short, unsigned char, 2)
#undef CPU_DEVICE_DOT_2
CPU_DEVICE_ONLY unsigned int __dp4a(unsigned int a, unsigned int b, unsigned int c) {
  for (int i = 0; i < 4; ++i) {
    c += ((a >> (8 * i)) & 0xffu) * ((b >> (8 * i)) & 0xffu);
  }
  return c;
}
#undef CPU_DEVICE_OUTLINE
#undef CPU_DEVICE_ONLY
#undef CPU_DEVICE_BOTH
