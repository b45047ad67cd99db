/// @file
/// The CUDA runtime as the CPU device offers it. cpucc includes it before every .cu file, as nvcc
/// does; a .cpp file includes it to call the runtime API. The order below matters: the attribute
/// macros must exist before any standard header, see standard.h.
#pragma once
#pragma GCC system_header
#if !defined(__cplusplus)
#error "the runtime API of the CPU device is C++: end the file's name in .cpp"
#endif

#include "cpu_device/attributes.h"
// (keep this order)
#include "cpu_device/standard.h"
// (keep this order)
#include "cpu_device/vector_types.h"
// (keep this order)
#include "cpu_device/runtime_types.h"
// (keep this order)
#include "cpu_device/runtime_api.h"
// (keep this order)
#include "cpu_device/runtime_templates.h"
// (keep this order)
#include "cpu_device/arrays.h"
// (keep this order)
#include "cpu_device/graphs.h"
// (keep this order)
#include "cpu_device/rounding.h"

#if defined(__CUDACC__)
#include "cpu_device/builtins.h"
// (keep this order)
#include "cpu_device/synchronisation.h"
// (keep this order)
#include "cpu_device/warp.h"
// (keep this order)
#include "cpu_device/atomics.h"
// (keep this order)
#include "cpu_device/math.h"
// (keep this order)
#include "cpu_device/conversions.h"
// (keep this order)
#include "cpu_device/integers.h"
// (keep this order)
#include "cpu_device/word_parts.h"
// (keep this order)
#include "cpu_device/special_functions.h"
// (keep this order)
#include "cpu_device/textures.h"
// (keep this order)
#include "cpu_device/surfaces.h"
#endif

#include "cpu_device/unavailable.h"
// (keep this order)
#include "cpu_device/alignas.h"
