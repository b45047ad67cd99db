#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace chapter05 {

/// The square of an int. It needs 64 bits: widened first, multiplied then.
// [square]
__host__ __device__ constexpr std::int64_t square(int value) {
  return std::int64_t{value} * value;
}
// [/square]

/// What atomicAdd takes for 64 bits. Adding modulo 2^64 is the same for both kinds of sign.
using atomic_sum = unsigned long long;

}  // namespace chapter05
