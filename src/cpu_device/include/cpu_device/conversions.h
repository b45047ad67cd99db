/// @file
/// Conversions with a stated rounding, and the same bits read as another type.
#pragma once
#pragma GCC system_header

#define CPU_DEVICE_ONLY __device__ inline __attribute__((always_inline))

// To an integer: what is too large becomes the nearest limit, NaN becomes 0.
#define CPU_DEVICE_TO_INTEGER(Prefix, From, Integer)        \
  CPU_DEVICE_ONLY Integer Prefix##_rn(From x) {             \
    return cpu_device_clamped<Integer>(::rint(double{x}));  \
  }                                                         \
  CPU_DEVICE_ONLY Integer Prefix##_rz(From x) {             \
    return cpu_device_clamped<Integer>(double{x});          \
  }                                                         \
  CPU_DEVICE_ONLY Integer Prefix##_rd(From x) {             \
    return cpu_device_clamped<Integer>(::floor(double{x})); \
  }                                                         \
  CPU_DEVICE_ONLY Integer Prefix##_ru(From x) {             \
    return cpu_device_clamped<Integer>(::ceil(double{x}));  \
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

// From one, and to a shorter floating-point type.
#define CPU_DEVICE_FROM(Prefix, From, To)                     \
  CPU_DEVICE_ONLY To Prefix##_rn(From x) {                    \
    return static_cast<To>(x);                                \
  }                                                           \
  CPU_DEVICE_ONLY To Prefix##_rz(From x) {                    \
    return cpu_device_converted<To>(x, cpu_device_to_zero);   \
  }                                                           \
  CPU_DEVICE_ONLY To Prefix##_rd(From x) {                    \
    return cpu_device_converted<To>(x, cpu_device_downwards); \
  }                                                           \
  CPU_DEVICE_ONLY To Prefix##_ru(From x) {                    \
    return cpu_device_converted<To>(x, cpu_device_upwards);   \
  }
CPU_DEVICE_FROM(__int2float, int, float)
CPU_DEVICE_FROM(__uint2float, unsigned int, float)
CPU_DEVICE_FROM(__ll2float, long long, float)
CPU_DEVICE_FROM(__ull2float, unsigned long long, float)
CPU_DEVICE_FROM(__ll2double, long long, double)
CPU_DEVICE_FROM(__ull2double, unsigned long long, double)
CPU_DEVICE_FROM(__double2float, double, float)
#undef CPU_DEVICE_FROM
CPU_DEVICE_ONLY double __int2double_rn(int x) {
  return x;
}
CPU_DEVICE_ONLY double __uint2double_rn(unsigned int x) {
  return x;
}

// The same bits.
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
#undef CPU_DEVICE_ONLY
