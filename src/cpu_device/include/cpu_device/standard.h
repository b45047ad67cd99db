/// @file
/// The C library for both sides. C functions that kernels may call (math, memcpy, printf, assert)
/// are declared host + device by the pragma; C++ headers stay outside it, since clang lets kernels
/// call their constexpr functions anyway. The C headers come first, because clang's own wrapper of
/// <new> needs malloc and free to be device functions already.
#pragma once
#pragma GCC system_header

#if defined(__CUDA__)
#pragma clang force_cuda_host_device begin
#define _GLIBCXX_INCLUDE_NEXT_C_HEADERS  // libstdc++: the plain C header, not the C++ wrapper
#include <assert.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#undef _GLIBCXX_INCLUDE_NEXT_C_HEADERS
#pragma clang force_cuda_host_device end
#include <new>
#endif

#include <math.h>
#include <stdlib.h>
#include <algorithm>
#include <cassert>
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <type_traits>
#include <utility>
