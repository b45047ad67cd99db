/// @file
/// Mathematical functions and intrinsics beyond the C library's. The fast intrinsics are computed
/// as exactly as the plain functions; rounding modes other than to-nearest are not modelled.
#pragma once
#pragma GCC system_header

#define CPU_DEVICE_BOTH CPU_DEVICE_FUNCTION inline __attribute__((always_inline))
#define CPU_DEVICE_ONLY __device__ inline __attribute__((always_inline))

// min and max for every pair that CUDA overloads.
#define CPU_DEVICE_MIN_MAX(A, B, Result)                                             \
  CPU_DEVICE_BOTH Result min(A a, B b) {                                             \
    return static_cast<Result>(a) < static_cast<Result>(b) ? static_cast<Result>(a)  \
                                                           : static_cast<Result>(b); \
  }                                                                                  \
  CPU_DEVICE_BOTH Result max(A a, B b) {                                             \
    return static_cast<Result>(a) > static_cast<Result>(b) ? static_cast<Result>(a)  \
                                                           : static_cast<Result>(b); \
  }
CPU_DEVICE_MIN_MAX(int, int, int)
CPU_DEVICE_MIN_MAX(unsigned int, unsigned int, unsigned int)
CPU_DEVICE_MIN_MAX(int, unsigned int, unsigned int)
CPU_DEVICE_MIN_MAX(unsigned int, int, unsigned int)
CPU_DEVICE_MIN_MAX(long, long, long)
CPU_DEVICE_MIN_MAX(unsigned long, unsigned long, unsigned long)
CPU_DEVICE_MIN_MAX(long, unsigned long, unsigned long)
CPU_DEVICE_MIN_MAX(unsigned long, long, unsigned long)
CPU_DEVICE_MIN_MAX(long long, long long, long long)
CPU_DEVICE_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
CPU_DEVICE_MIN_MAX(long long, unsigned long long, unsigned long long)
CPU_DEVICE_MIN_MAX(unsigned long long, long long, unsigned long long)
#undef CPU_DEVICE_MIN_MAX
CPU_DEVICE_BOTH float min(float a, float b) {
  return fminf(a, b);
}
CPU_DEVICE_BOTH float max(float a, float b) {
  return fmaxf(a, b);
}
CPU_DEVICE_BOTH double min(double a, double b) {
  return fmin(a, b);
}
CPU_DEVICE_BOTH double max(double a, double b) {
  return fmax(a, b);
}
CPU_DEVICE_BOTH double min(float a, double b) {
  return fmin(a, b);
}
CPU_DEVICE_BOTH double max(float a, double b) {
  return fmax(a, b);
}
CPU_DEVICE_BOTH double min(double a, float b) {
  return fmin(a, b);
}
CPU_DEVICE_BOTH double max(double a, float b) {
  return fmax(a, b);
}

// libstdc++'s std::abs is constexpr, hence callable in kernels, for floating point only.
namespace std {
CPU_DEVICE_ONLY long abs(long x) {
  return x < 0 ? -x : x;
}
CPU_DEVICE_ONLY long long abs(long long x) {
  return x < 0 ? -x : x;
}
}  // namespace std
using std::abs;

CPU_DEVICE_BOTH float rsqrtf(float x) {
  return 1.0f / sqrtf(x);
}
CPU_DEVICE_BOTH double rsqrt(double x) {
  return 1.0 / ::sqrt(x);
}
CPU_DEVICE_BOTH float rsqrt(float x) {
  return rsqrtf(x);
}
CPU_DEVICE_BOTH float rcbrtf(float x) {
  return 1.0f / cbrtf(x);
}
CPU_DEVICE_BOTH float sinpif(float x) {
  return sinf(x * 3.14159265358979f);
}
CPU_DEVICE_BOTH float cospif(float x) {
  return cosf(x * 3.14159265358979f);
}
CPU_DEVICE_BOTH double sinpi(double x) {
  return ::sin(x * 3.14159265358979323846);
}
CPU_DEVICE_BOTH double cospi(double x) {
  return ::cos(x * 3.14159265358979323846);
}
CPU_DEVICE_BOTH float norm3df(float a, float b, float c) {
  return sqrtf(a * a + b * b + c * c);
}
CPU_DEVICE_BOTH float normcdff(float x) {
  return 0.5f * erfcf(-x * 0.70710678118654752f);
}
CPU_DEVICE_BOTH double normcdf(double x) {
  return 0.5 * ::erfc(-x * 0.70710678118654752440);
}
CPU_DEVICE_ONLY float saturate_cpu_device(float x) {
  return x > 0 ? (x < 1 ? x : 1.0f) : 0.0f;
}
#define __saturatef saturate_cpu_device

CPU_DEVICE_ONLY float __fdividef(float a, float b) {
  return a / b;
}
// Macros, since the C library has (host) functions of these names already.
#define __expf expf
#define __exp10f exp10f
#define __logf logf
#define __log2f log2f
#define __log10f log10f
#define __sinf sinf
#define __cosf cosf
#define __tanf tanf
#define __powf powf
#define __sincosf sincosf

// Arithmetic that a compiler must not contract into FMA; nothing here does.
CPU_DEVICE_ONLY float __fadd_rn(float a, float b) {
  return a + b;
}
CPU_DEVICE_ONLY float __fsub_rn(float a, float b) {
  return a - b;
}
CPU_DEVICE_ONLY float __fmul_rn(float a, float b) {
  return a * b;
}
CPU_DEVICE_ONLY float __fdiv_rn(float a, float b) {
  return a / b;
}
CPU_DEVICE_ONLY float __fmaf_rn(float a, float b, float c) {
  return fmaf(a, b, c);
}
CPU_DEVICE_ONLY float __frcp_rn(float x) {
  return 1.0f / x;
}
CPU_DEVICE_ONLY float __fsqrt_rn(float x) {
  return sqrtf(x);
}
CPU_DEVICE_ONLY float __frsqrt_rn(float x) {
  return 1.0f / sqrtf(x);
}
CPU_DEVICE_ONLY double __dadd_rn(double a, double b) {
  return a + b;
}
CPU_DEVICE_ONLY double __dsub_rn(double a, double b) {
  return a - b;
}
CPU_DEVICE_ONLY double __dmul_rn(double a, double b) {
  return a * b;
}
CPU_DEVICE_ONLY double __ddiv_rn(double a, double b) {
  return a / b;
}
CPU_DEVICE_ONLY double __fma_rn(double a, double b, double c) {
  return ::fma(a, b, c);
}

// Bits and integers.
CPU_DEVICE_ONLY int __popc(unsigned int x) {
  return __builtin_popcount(x);
}
CPU_DEVICE_ONLY int __popcll(unsigned long long x) {
  return __builtin_popcountll(x);
}
CPU_DEVICE_ONLY int __clz(int x) {
  return x ? __builtin_clz(static_cast<unsigned>(x)) : 32;
}
CPU_DEVICE_ONLY int __clzll(long long x) {
  return x ? __builtin_clzll(static_cast<unsigned long long>(x)) : 64;
}
CPU_DEVICE_ONLY int __ffs(int x) {
  return __builtin_ffs(x);
}
CPU_DEVICE_ONLY int __ffsll(long long x) {
  return __builtin_ffsll(x);
}
CPU_DEVICE_ONLY unsigned int __brev(unsigned int x) {
  return __builtin_bitreverse32(x);
}
CPU_DEVICE_ONLY unsigned long long __brevll(unsigned long long x) {
  return __builtin_bitreverse64(x);
}
CPU_DEVICE_ONLY int __mul24(int a, int b) {
  return (a << 8 >> 8) * (b << 8 >> 8);
}
CPU_DEVICE_ONLY unsigned int __umul24(unsigned int a, unsigned int b) {
  return (a & 0xffffffu) * (b & 0xffffffu);
}
CPU_DEVICE_ONLY int __mulhi(int a, int b) {
  return static_cast<int>((static_cast<long long>(a) * b) >> 32);
}
CPU_DEVICE_ONLY unsigned int __umulhi(unsigned int a, unsigned int b) {
  return static_cast<unsigned int>((static_cast<unsigned long long>(a) * b) >> 32);
}
CPU_DEVICE_ONLY long long __mul64hi(long long a, long long b) {
  return static_cast<long long>((static_cast<__int128>(a) * b) >> 64);
}
CPU_DEVICE_ONLY unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return static_cast<unsigned long long>((static_cast<unsigned __int128>(a) * b) >> 64);
}
CPU_DEVICE_ONLY unsigned int __byte_perm(unsigned int a, unsigned int b, unsigned int selector) {
  const unsigned long long bytes = (static_cast<unsigned long long>(b) << 32) | a;
  unsigned int result = 0;
  for (int i = 0; i < 4; ++i) {
    result |= static_cast<unsigned int>((bytes >> (8 * ((selector >> (4 * i)) & 7))) & 0xff)
              << (8 * i);
  }
  return result;
}
CPU_DEVICE_ONLY unsigned int __funnelshift_l(unsigned int low, unsigned int high,
                                             unsigned int shift) {
  const unsigned long long both = (static_cast<unsigned long long>(high) << 32) | low;
  return static_cast<unsigned int>((both << (shift & 31)) >> 32);
}
CPU_DEVICE_ONLY unsigned int __funnelshift_r(unsigned int low, unsigned int high,
                                             unsigned int shift) {
  const unsigned long long both = (static_cast<unsigned long long>(high) << 32) | low;
  return static_cast<unsigned int>(both >> (shift & 31));
}
CPU_DEVICE_ONLY unsigned int __usad(unsigned int a, unsigned int b, unsigned int c) {
  return (a > b ? a - b : b - a) + c;
}
CPU_DEVICE_ONLY int __dp4a(int a, int b, int c) {
  for (int i = 0; i < 4; ++i) {
    c += static_cast<signed char>(a >> (8 * i)) * static_cast<signed char>(b >> (8 * i));
  }
  return c;
}

// Reinterpretations.
template <class To, class From>
CPU_DEVICE_ONLY To cpu_device_bits(From value) {
  static_assert(sizeof(To) == sizeof(From), "sizes must agree");
  To result;
  __builtin_memcpy(&result, &value, sizeof(To));
  return result;
}
CPU_DEVICE_ONLY int __float_as_int(float x) {
  return cpu_device_bits<int>(x);
}
CPU_DEVICE_ONLY unsigned int __float_as_uint(float x) {
  return cpu_device_bits<unsigned>(x);
}
CPU_DEVICE_ONLY float __int_as_float(int x) {
  return cpu_device_bits<float>(x);
}
CPU_DEVICE_ONLY float __uint_as_float(unsigned int x) {
  return cpu_device_bits<float>(x);
}
CPU_DEVICE_ONLY long long __double_as_longlong(double x) {
  return cpu_device_bits<long long>(x);
}
CPU_DEVICE_ONLY double __longlong_as_double(long long x) {
  return cpu_device_bits<double>(x);
}

// Loads and stores with a cache hint: plain ones here.
#define CPU_DEVICE_LOAD(Name)                \
  template <class T>                         \
  CPU_DEVICE_ONLY T Name(const T* address) { \
    return *address;                         \
  }
CPU_DEVICE_LOAD(__ldg)
CPU_DEVICE_LOAD(__ldca)
CPU_DEVICE_LOAD(__ldcg)
CPU_DEVICE_LOAD(__ldcs)
CPU_DEVICE_LOAD(__ldlu)
CPU_DEVICE_LOAD(__ldcv)
#undef CPU_DEVICE_LOAD
#define CPU_DEVICE_STORE(Name)                     \
  template <class T>                               \
  CPU_DEVICE_ONLY void Name(T* address, T value) { \
    *address = value;                              \
  }
CPU_DEVICE_STORE(__stwb)
CPU_DEVICE_STORE(__stcg)
CPU_DEVICE_STORE(__stcs)
CPU_DEVICE_STORE(__stwt)
#undef CPU_DEVICE_STORE
#undef CPU_DEVICE_ONLY
#undef CPU_DEVICE_BOTH
#define CUDART_INF_F __int_as_float(0x7f800000)
#define CUDART_NAN_F __int_as_float(0x7fffffff)
#define CUDART_PI_F 3.141592654f
#define CUDART_PI 3.1415926535897931e+0
