/// @file
/// Half precision: 1 sign, 5 exponent and 10 mantissa bits.
#pragma once
#pragma GCC system_header
#include <cpu_device/small_float.h>

#define CPU_DEVICE_BOTH CPU_DEVICE_FUNCTION inline __attribute__((always_inline))
#define CPU_DEVICE_ONLY __device__ inline __attribute__((always_inline))
#define SF __half
#define SF2 __half2
#define SF_RAW __half_raw
#define SF2_RAW __half2_raw
#define SF_PASTE(a, b, c) a##b##c
#define SF_WORD(a, b) SF_PASTE(a, half, b)
#define SF_FORMAT cpu_device_half
#define SF_FROM_INTEGER CPU_DEVICE_BOTH
#include <cpu_device/small_float.inc>
#undef CPU_DEVICE_BOTH
#undef CPU_DEVICE_ONLY
#undef SF
#undef SF2
#undef SF_RAW
#undef SF2_RAW
#undef SF_PASTE
#undef SF_WORD
#undef SF_FORMAT
#undef SF_FROM_INTEGER

using half = __half;
using half2 = __half2;
using __nv_half = __half;
using __nv_half2 = __half2;
#define CUDART_INF_FP16 __ushort_as_half(0x7c00u)
#define CUDART_NAN_FP16 __ushort_as_half(0x7fffu)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half(0x7bffu)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half(0x0001u)
#define CUDART_ONE_FP16 __ushort_as_half(0x3c00u)
#define CUDART_ZERO_FP16 __ushort_as_half(0x0000u)
