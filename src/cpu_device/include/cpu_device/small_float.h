/// @file
/// What half and bfloat16 share: conversions by the runtime (runtime/small_float.cpp).
#pragma once
#pragma GCC system_header
#include <cuda_runtime.h>

enum cpu_device_small_format { cpu_device_half, cpu_device_bfloat16 };

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

CPU_DEVICE_FUNCTION inline double cpu_device_saturated(double value) {
  return value > 0 ? (value < 1 ? value : 1.0) : 0.0;
}
