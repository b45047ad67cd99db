/// @file
/// Mathematical functions beyond the C library's, and loads and stores with a cache hint. The fast
/// intrinsics are computed as exactly as the plain functions.
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
