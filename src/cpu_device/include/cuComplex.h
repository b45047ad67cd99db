/// @file
/// Complex numbers as pairs of floats or doubles, for host and device.
#pragma once
#pragma GCC system_header
#include <cuda_runtime.h>

#include <cmath>

#define CPU_DEVICE_COMPLEX CPU_DEVICE_FUNCTION inline __attribute__((always_inline))

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

// Pair: the complex type. Name##f is the float form where CUDA names it so.
#define CPU_DEVICE_COMPLEX_FUNCTIONS(Pair, Part, Make, Real, Imag, Conj, Add, Sub, Mul, Div, Abs, \
                                     Fma, hypotenuse, absolute)                                   \
  CPU_DEVICE_COMPLEX Pair Make(Part real, Part imag) {                                            \
    return Pair{real, imag};                                                                      \
  }                                                                                               \
  CPU_DEVICE_COMPLEX Part Real(Pair a) {                                                          \
    return a.x;                                                                                   \
  }                                                                                               \
  CPU_DEVICE_COMPLEX Part Imag(Pair a) {                                                          \
    return a.y;                                                                                   \
  }                                                                                               \
  CPU_DEVICE_COMPLEX Pair Conj(Pair a) {                                                          \
    return Pair{a.x, -a.y};                                                                       \
  }                                                                                               \
  CPU_DEVICE_COMPLEX Pair Add(Pair a, Pair b) {                                                   \
    return Pair{a.x + b.x, a.y + b.y};                                                            \
  }                                                                                               \
  CPU_DEVICE_COMPLEX Pair Sub(Pair a, Pair b) {                                                   \
    return Pair{a.x - b.x, a.y - b.y};                                                            \
  }                                                                                               \
  CPU_DEVICE_COMPLEX Pair Mul(Pair a, Pair b) {                                                   \
    return Pair{a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};                                    \
  }                                                                                               \
  /* Scaled, so that no square leaves the range. */                                               \
  CPU_DEVICE_COMPLEX Pair Div(Pair a, Pair b) {                                                   \
    const Part scale = Part(1) / (absolute(b.x) + absolute(b.y));                                 \
    const Pair p{a.x * scale, a.y * scale}, q{b.x * scale, b.y * scale};                          \
    const Part square = Part(1) / (q.x * q.x + q.y * q.y);                                        \
    return Pair{(p.x * q.x + p.y * q.y) * square, (p.y * q.x - p.x * q.y) * square};              \
  }                                                                                               \
  CPU_DEVICE_COMPLEX Part Abs(Pair a) {                                                           \
    return hypotenuse(a.x, a.y);                                                                  \
  }                                                                                               \
  CPU_DEVICE_COMPLEX Pair Fma(Pair a, Pair b, Pair c) {                                           \
    return Add(Mul(a, b), c);                                                                     \
  }

CPU_DEVICE_COMPLEX_FUNCTIONS(cuFloatComplex, float, make_cuFloatComplex, cuCrealf, cuCimagf,
                             cuConjf, cuCaddf, cuCsubf, cuCmulf, cuCdivf, cuCabsf, cuCfmaf, hypotf,
                             fabsf)
CPU_DEVICE_COMPLEX_FUNCTIONS(cuDoubleComplex, double, make_cuDoubleComplex, cuCreal, cuCimag,
                             cuConj, cuCadd, cuCsub, cuCmul, cuCdiv, cuCabs, cuCfma, ::hypot,
                             ::fabs)
#undef CPU_DEVICE_COMPLEX_FUNCTIONS

CPU_DEVICE_COMPLEX cuComplex make_cuComplex(float real, float imag) {
  return cuComplex{real, imag};
}
CPU_DEVICE_COMPLEX cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) {
  return cuDoubleComplex{a.x, a.y};
}
CPU_DEVICE_COMPLEX cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) {
  return cuFloatComplex{static_cast<float>(a.x), static_cast<float>(a.y)};
}
#undef CPU_DEVICE_COMPLEX
