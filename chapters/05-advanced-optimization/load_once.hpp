#pragma once

#include <cuda_runtime.h>

namespace chapter05 {

/// Loads 16 bytes that nobody will read again: they are not kept in L1, and leave L2 before all others.
/// Before compute capability 8.0 and on the CPU device: a streaming load.
/// \param address  a multiple of 16 bytes, in memory that nobody writes while the kernel runs
/// \par Source
/// PTX ISA: ld with .L1::no_allocate and .L2::cache_hint, createpolicy with .L2::evict_first.
// [load_once]
__device__ inline int4 load_once(const int4* address) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800 && !defined(__CPU_DEVICE__)
  unsigned long long leaves_first;
  asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(leaves_first));
  int4 four;
  asm("ld.global.nc.L1::no_allocate.L2::cache_hint.v4.s32 {%0, %1, %2, %3}, [%4], %5;"
      : "=r"(four.x), "=r"(four.y), "=r"(four.z), "=r"(four.w)
      : "l"(address), "l"(leaves_first));
  return four;
#else
  return __ldcs(address);
#endif
}
// [/load_once]

}  // namespace chapter05
