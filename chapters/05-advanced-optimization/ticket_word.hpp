#pragma once

#include <cuda_runtime.h>

#include "square.hpp"

namespace chapter05 {

/// A ticket that carries sums: one 64-bit word in which blocks both arrive and add.
///
///     bits 63 to 53: blocks that arrived | 52 to 42: those with a large sum | 41 to 0: the small sums
///
/// A sum is small below 2^31. At most 2047 small sums stay below 2^42, so no field runs over.
// [ticket]
struct ticket_word {
  static constexpr unsigned most_blocks = (1u << 11) - 1;
  static constexpr atomic_sum arrived = atomic_sum{1} << 53;
  static constexpr atomic_sum large = atomic_sum{1} << 42;
  static constexpr atomic_sum too_large = atomic_sum{1} << 31;

  static __device__ unsigned arrivals(atomic_sum word) { return static_cast<unsigned>(word >> 53); }
  static __device__ bool any_large(atomic_sum word) { return (word >> 42 & 2047) > 0; }
  static __device__ atomic_sum small_sums(atomic_sum word) { return word & (large - 1); }
};
// [/ticket]

/// The same for many blocks: 2^21 - 1 of them, with small sums below 2^22. It has no room to count large
/// sums, so the last block has to look for one.
///
///     bits 63 to 43: blocks that arrived | 42 to 0: the small sums
struct wide_ticket_word {
  static constexpr unsigned most_blocks = (1u << 21) - 1;
  static constexpr atomic_sum arrived = atomic_sum{1} << 43;
  static constexpr atomic_sum too_large = atomic_sum{1} << 22;

  static __device__ unsigned arrivals(atomic_sum word) { return static_cast<unsigned>(word >> 43); }
  static __device__ atomic_sum small_sums(atomic_sum word) { return word & (arrived - 1); }
};

}  // namespace chapter05
