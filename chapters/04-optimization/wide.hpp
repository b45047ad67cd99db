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

#endif

}  // namespace chapter04
