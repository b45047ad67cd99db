#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace chapter05 {

// Two ways to turn a number into another one, at about the same cost: `turns` dependent steps.
// [ways]
__host__ __device__ inline std::uint32_t one_way(std::uint32_t x, int turns) {
  for (int turn = 0; turn < turns; ++turn) x = x * 1664525u + 1013904223u;
  return x;
}

__host__ __device__ inline std::uint32_t other_way(std::uint32_t x, int turns) {
  for (int turn = 0; turn < turns; ++turn) x = (x ^ (x >> 15)) * 741103597u;
  return x;
}
// [/ways]

}  // namespace chapter05
