/// @file
/// bfloat16: 1 sign, 8 exponent and 7 mantissa bits, the upper half of a float.
#pragma once
#pragma GCC system_header
#include <cpu_device/small_float.h>

#define CPU_DEVICE_BOTH CPU_DEVICE_FUNCTION inline __attribute__((always_inline))
#define CPU_DEVICE_ONLY __device__ inline __attribute__((always_inline))
#define SF __nv_bfloat16
#define SF2 __nv_bfloat162
#define SF_RAW __nv_bfloat16_raw
#define SF2_RAW __nv_bfloat162_raw
#define SF_PASTE(a, b, c) a##b##c
#define SF_WORD(a, b) SF_PASTE(a, bfloat16, b)
#define SF_FORMAT cpu_device_bfloat16
#define SF_FROM_INTEGER CPU_DEVICE_ONLY
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

using nv_bfloat16 = __nv_bfloat16;
using nv_bfloat162 = __nv_bfloat162;
#define CUDART_INF_BF16 __ushort_as_bfloat16(0x7f80u)
#define CUDART_NAN_BF16 __ushort_as_bfloat16(0x7fffu)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16(0x7f7fu)
#define CUDART_ONE_BF16 __ushort_as_bfloat16(0x3f80u)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16(0x0000u)
