// What the float sums of this chapter share: tiles of the input, trees of additions, the last block.
// Every operation is written out (__fadd_rn, __fmaf_rn), so that no compiler may fuse or reorder it.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>

#include "coalesce/launch.hpp"

namespace chapter05 {

inline constexpr int float_threads = 256;  // in a block
inline constexpr int float_loads = 4;      // of 16 bytes, in flight in each thread

/// Floats that a block reads at once: `loads` vectors of four in each of `threads` threads.
__host__ __device__ constexpr std::int64_t tile_floats(int threads, int loads) {
  return std::int64_t{4} * threads * loads;
}

/// True when vectors of 16 bytes may be read at `address`.
inline bool takes_vectors(const float* address) {
  return reinterpret_cast<std::uintptr_t>(address) % 16 == 0;
}

/// Blocks for a grid that strides over the tiles of n elements: eight on each multiprocessor, fewer when
/// there are fewer tiles, and one at least.
inline unsigned float_blocks(std::int64_t n) {
  int device = 0, sms = 0;
  COALESCE_CHECK(cudaGetDevice(&device));
  COALESCE_CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device));
  const std::int64_t tiles = coalesce::ceil_div(n, tile_floats(float_threads, float_loads));
  return static_cast<unsigned>(std::clamp<std::int64_t>(tiles, 1, std::int64_t{8} * sms));
}

/// Head of the workspace, which the partial sums follow. Zero between launches.
struct float_workspace {
  unsigned ticket;
  unsigned unused[63];

  template <class T>
  __host__ __device__ T* partials() {
    return reinterpret_cast<T*>(this + 1);
  }
};

#if defined(__CUDACC__) || defined(__CUDA__)

// [load]
/// Four floats at `from`: one load of 16 bytes, or four of 4 where the address does not allow it.
template <bool Vectors>
__device__ float4 load4(const float* from) {
  if constexpr (Vectors) return __ldcs(reinterpret_cast<const float4*>(from));
  return {from[0], from[1], from[2], from[3]};
}

/// Reads tile number `tile`. Vector k of thread t holds elements 4 * (t + k * Threads) … + 3 of the
/// tile, whatever the address of `values`. Behind element n there are zeros.
template <int Threads, int Loads, bool Vectors>
__device__ void load_tile(const float* values, std::int64_t n, std::int64_t tile,
                          float4 (&vectors)[Loads]) {
  constexpr std::int64_t size = tile_floats(Threads, Loads);
  const std::int64_t first = tile * size + 4 * threadIdx.x;
  if ((tile + 1) * size <= n) {
    for (int k = 0; k < Loads; ++k) vectors[k] = load4<Vectors>(values + first + 4 * Threads * k);
  } else {
    for (int k = 0; k < Loads; ++k) {
      const std::int64_t at = first + 4 * Threads * k;
      const auto or_zero = [&](std::int64_t i) { return i < n ? values[i] : 0.0f; };
      vectors[k] = {or_zero(at), or_zero(at + 1), or_zero(at + 2), or_zero(at + 3)};
    }
  }
}
// [/load]

__device__ inline float add(float a, float b) {
  return __fadd_rn(a, b);
}
__device__ inline double add(double a, double b) {
  return __dadd_rn(a, b);
}
__device__ inline float of_lane_behind(float value, int apart) {
  return __shfl_down_sync(~0u, value, apart);
}
__device__ inline double of_lane_behind(double value, int apart) {
  return __shfl_down_sync(~0u, value, apart);
}

// [tree]
/// Adds one value of every thread, always in the same order. Thread 0 has the sum.
template <int Threads, class T>
__device__ T block_tree(T value) {
  static_assert(Threads % 32 == 0 && Threads <= 1024);
  __shared__ T of_warp[32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int apart = 16; apart > 0; apart /= 2) value = add(value, of_lane_behind(value, apart));

  __syncthreads();  // the array may still be read by an earlier call
  if (lane == 0) of_warp[warp] = value;
  __syncthreads();

  value = warp == 0 && lane < Threads / 32 ? of_warp[lane] : T{};
  for (int apart = 16; apart > 0; apart /= 2) value = add(value, of_lane_behind(value, apart));
  return value;
}
// [/tree]

// [last]
/// True in all threads of the block that comes here last, which then sees what the others wrote.
/// The ticket counts from 0 to blocks - 1 and wraps, so it is ready for the next launch.
__device__ inline bool comes_last(unsigned* ticket) {
  __shared__ bool last;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  return last;
}
// [/last]

#endif

}  // namespace chapter05
