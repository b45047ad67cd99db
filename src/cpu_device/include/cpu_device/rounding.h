/// @file
/// Arithmetic with a stated rounding: __fadd_rd rounds down, _ru up, _rz to zero, _rn to nearest.
/// The last is what the CPU does anyway, and never contracted into a fused multiply-add; for the
/// others the runtime switches the CPU's rounding (runtime/rounding.cpp).
#pragma once
#pragma GCC system_header

enum cpu_device_rounding {
  cpu_device_to_nearest,
  cpu_device_to_zero,
  cpu_device_upwards,
  cpu_device_downwards
};
enum cpu_device_arithmetic {
  cpu_device_sum,
  cpu_device_difference,
  cpu_device_product,
  cpu_device_quotient,
  cpu_device_root,
  cpu_device_fused,
  cpu_device_inverse_root
};

extern "C" {
CPU_DEVICE_FUNCTION float cpu_device_float(int arithmetic, float a, float b, float c, int rounding);
CPU_DEVICE_FUNCTION double cpu_device_double(int arithmetic, double a, double b, double c,
                                             int rounding);
CPU_DEVICE_FUNCTION float cpu_device_signed_to_float(long long x, int rounding);
CPU_DEVICE_FUNCTION float cpu_device_unsigned_to_float(unsigned long long x, int rounding);
CPU_DEVICE_FUNCTION double cpu_device_signed_to_double(long long x, int rounding);
CPU_DEVICE_FUNCTION double cpu_device_unsigned_to_double(unsigned long long x, int rounding);
CPU_DEVICE_FUNCTION float cpu_device_double_to_float(double x, int rounding);
}

#if defined(__CUDACC__)
#define CPU_DEVICE_ONLY __device__ inline __attribute__((always_inline))

/// A number converted to To, rounded as said.
template <class To, class From>
CPU_DEVICE_ONLY To cpu_device_converted(From x, int rounding) {
  if constexpr (From(0.5) != From(0)) {
    return cpu_device_double_to_float(x, rounding);
  } else if constexpr (sizeof(To) == 4) {
    return From(-1) < From(0) ? cpu_device_signed_to_float(static_cast<long long>(x), rounding)
                              : cpu_device_unsigned_to_float(x, rounding);
  } else {
    return From(-1) < From(0) ? cpu_device_signed_to_double(static_cast<long long>(x), rounding)
                              : cpu_device_unsigned_to_double(x, rounding);
  }
}

// One operation in its four roundings. `nearest` is the plain expression, which -ffast-math must not
// rearrange with its neighbours.
#define CPU_DEVICE_ROUNDED(Name, Type, function, parameters, operation, a, b, c, nearest) \
  CPU_DEVICE_ONLY Type Name##_rn parameters {                                             \
    _Pragma("clang fp reassociate(off) contract(off)") return nearest;                    \
  }                                                                                       \
  CPU_DEVICE_ONLY Type Name##_rz parameters {                                             \
    return function(operation, a, b, c, cpu_device_to_zero);                              \
  }                                                                                       \
  CPU_DEVICE_ONLY Type Name##_ru parameters {                                             \
    return function(operation, a, b, c, cpu_device_upwards);                              \
  }                                                                                       \
  CPU_DEVICE_ONLY Type Name##_rd parameters {                                             \
    return function(operation, a, b, c, cpu_device_downwards);                            \
  }
#define CPU_DEVICE_ARITHMETIC(letter, fused, Type, function, square_root, fma)                     \
  CPU_DEVICE_ROUNDED(__##letter##add, Type, function, (Type x, Type y), cpu_device_sum, x, y, 0,   \
                     x + y)                                                                        \
  CPU_DEVICE_ROUNDED(__##letter##sub, Type, function, (Type x, Type y), cpu_device_difference, x,  \
                     y, 0, x - y)                                                                  \
  CPU_DEVICE_ROUNDED(__##letter##mul, Type, function, (Type x, Type y), cpu_device_product, x, y,  \
                     0, x* y)                                                                      \
  CPU_DEVICE_ROUNDED(__##letter##div, Type, function, (Type x, Type y), cpu_device_quotient, x, y, \
                     0, x / y)                                                                     \
  CPU_DEVICE_ROUNDED(__##letter##rcp, Type, function, (Type x), cpu_device_quotient, 1, x, 0,      \
                     Type(1) / x)                                                                  \
  CPU_DEVICE_ROUNDED(__##letter##sqrt, Type, function, (Type x), cpu_device_root, x, 0, 0,         \
                     square_root(x))                                                               \
  CPU_DEVICE_ROUNDED(fused, Type, function, (Type x, Type y, Type z), cpu_device_fused, x, y, z,   \
                     fma(x, y, z))
CPU_DEVICE_ARITHMETIC(f, __fmaf, float, cpu_device_float, ::sqrtf, ::fmaf)
CPU_DEVICE_ARITHMETIC(d, __fma, double, cpu_device_double, ::sqrt, ::fma)
#undef CPU_DEVICE_ARITHMETIC
#undef CPU_DEVICE_ROUNDED
CPU_DEVICE_ONLY float __frsqrt_rn(float x) {
  return cpu_device_float(cpu_device_inverse_root, x, 0, 0, cpu_device_to_nearest);
}
#undef CPU_DEVICE_ONLY
#endif

/// To an integer as a GPU converts: too large values become the nearest limit, NaN becomes 0.
template <class T>
CPU_DEVICE_FUNCTION inline T cpu_device_clamped(double value) {
  constexpr bool is_signed = T(-1) < T(0);
  constexpr T least = is_signed ? T(1ull << (sizeof(T) * 8 - 1)) : T(0);
  constexpr T greatest = T(~least);
  if (value != value) return 0;
  if (value <= static_cast<double>(least)) return least;
  if (value >= static_cast<double>(greatest)) return greatest;
  return static_cast<T>(value);
}
