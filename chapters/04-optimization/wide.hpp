#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace chapter04 {

/// True when all addresses are multiples of 16, as loads and stores of a float4 need it.
// [aligned]
template <class... Pointers>
bool aligned_for_float4(Pointers... pointers) {
  return ((reinterpret_cast<std::uintptr_t>(pointers) % sizeof(float4) == 0) && ...);
}
// [/aligned]

#if defined(__CUDACC__) || defined(__CUDA__)

/// Four sums.
__device__ inline float4 sum_of(float4 x, float4 y) {
  return {x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w};
}

/// A load that L1 does not keep, and for which L2 fetches 256 bytes at a time; plain before capability 8.0.
__device__ inline float4 load_no_allocate(const float4* from) {
#if defined(__CPU_DEVICE__) || __CUDA_ARCH__ < 800
  return *from;
#else
  float4 v;
  asm volatile("ld.global.nc.L1::no_allocate.L2::256B.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
               : "l"(from));
  return v;
#endif
}

#endif

}  // namespace chapter04
