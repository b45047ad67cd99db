/// @file
/// What half and bfloat16 share: conversions by the runtime (runtime/small_float.cpp).
#pragma once
#pragma GCC system_header
#include <cuda_runtime.h>

enum cpu_device_small_format { cpu_device_half, cpu_device_bfloat16 };
enum cpu_device_rounding {
  cpu_device_to_nearest,
  cpu_device_to_zero,
  cpu_device_upwards,
  cpu_device_downwards
};

extern "C" {
CPU_DEVICE_FUNCTION unsigned short cpu_device_to_small(double value, int format, int rounding);
CPU_DEVICE_FUNCTION float cpu_device_small_to_float(unsigned short bits, int format);
#if defined(__CUDACC__)
__device__ unsigned short cpu_device_atomic_add_small(unsigned short* address, unsigned short bits,
                                                      int format);
__device__ void cpu_device_atomic_add_small_pair(unsigned short* address, unsigned short* old,
                                                 unsigned short low, unsigned short high,
                                                 int format);
#endif
}

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
CPU_DEVICE_FUNCTION inline double cpu_device_saturated(double value) {
  return value > 0 ? (value < 1 ? value : 1.0) : 0.0;
}
