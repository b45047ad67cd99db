/// @file
/// The C library for both sides. Kernels may call the mathematical functions and the few others that
/// a GPU has (as nvcc allows): a pragma makes those host + device. The rest of the C headers is the
/// host's, and so are the C++ headers, whose constexpr functions clang lets kernels call anyway. The
/// C headers come first, because clang's own wrapper of <new> needs malloc and free to be device
/// functions already.
#pragma once
#pragma GCC system_header

#if defined(__CUDA__)
#define _GLIBCXX_INCLUDE_NEXT_C_HEADERS  // libstdc++: the plain C header, not the C++ wrapper
#pragma clang force_cuda_host_device begin
#include <assert.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#pragma clang force_cuda_host_device end
#include "host_c_library.h"
#undef _GLIBCXX_INCLUDE_NEXT_C_HEADERS
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
