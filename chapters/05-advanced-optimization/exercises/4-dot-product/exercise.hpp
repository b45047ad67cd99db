#pragma once

#include <cuda_runtime.h>

#include <cstdint>

/// Scratch memory of dot_product(). Zeroed once; each launch leaves it ready for the next.
struct dot_workspace {
  static constexpr std::int64_t most_blocks = 1024;

  unsigned ticket;                    ///< blocks that are done; 0 between launches
  std::int64_t partial[most_blocks];  ///< their sums
};

/// The sum of a[i] * b[i], in one launch.
/// \param d_a     n ints on the device, any alignment of int
/// \param d_b     n ints on the device, any alignment of int
/// \param n       number of elements; of none, the sum is 0
/// \param d_dot   one 64-bit integer on the device; overwritten, also for n = 0
/// \param d_work  scratch memory on the device; left ready for the next launch
/// \param stream  where the kernel is enqueued
void dot_product(const int* d_a, const int* d_b, std::int64_t n, std::int64_t* d_dot,
                 dot_workspace* d_work, cudaStream_t stream);
