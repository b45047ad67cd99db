#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "square.hpp"

namespace chapter05 {

/// An array of ints cut in three: single ints up to a 16-byte boundary, whole fours, single ints.
// [split]
struct aligned_middle {
  const int4* data;    ///< first four ints that begin at a multiple of 16 bytes
  std::int64_t count;  ///< how many fours
  std::int64_t head;   ///< 0 to 3 ints before them
  std::int64_t tail;   ///< 0 to 3 ints behind them
};

__host__ __device__ inline aligned_middle split(const int* values, std::int64_t n) {
  const auto address = reinterpret_cast<std::uintptr_t>(values);
  std::int64_t head = static_cast<std::int64_t>((16 - address % 16) % 16 / sizeof(int));
  if (head > n) head = n;
  const std::int64_t count = (n - head) / 4;
  return {reinterpret_cast<const int4*>(values + head), count, head, n - head - 4 * count};
}
// [/split]

/// The sum of four squares.
__device__ inline std::int64_t squares(int4 four) {
  return square(four.x) + square(four.y) + square(four.z) + square(four.w);
}

}  // namespace chapter05
