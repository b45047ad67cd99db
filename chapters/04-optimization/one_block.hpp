#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace chapter04 {

/// Most threads a block may have on any device that the course supports: so many partial sums have room.
inline constexpr int most_threads = 1024;

/// The steps of the family `sum_of_squares_i32`: one block adds the squares of n ints. Each thread
/// writes the sum of its own part; the host adds these partial sums up.
/// \param d_values   n ints on the device, any alignment of int
/// \param n          number of elements, 0 included
/// \param d_partials room for `threads` 64-bit integers on the device; overwritten
/// \param threads    of the block: 1 to most_threads
/// \param stream     everything is enqueued here; returns without waiting
/// \throws coalesce::cuda_error when the launch is refused
using one_block_sum = void(const int* d_values, std::int64_t n, std::int64_t* d_partials,
                           int threads, cudaStream_t stream);

one_block_sum contiguous;
one_block_sum strided;

/// The same with a fixed number of loads that the compiler may have in flight.
/// \param unroll turns of the loop written one after the other: 1, 2, 4, 8 or 16
/// \throws std::invalid_argument for another number
using unrolled_sum = void(const int* d_values, std::int64_t n, std::int64_t* d_partials,
                          int threads, int unroll, cudaStream_t stream);

unrolled_sum contiguous_unrolled;
unrolled_sum strided_unrolled;

/// A step that prints cycles, time, bandwidth and shares of two limits. \param n elements, or 0 for 2^20
/// \return 0 when the sum is right, else 1
int one_block_clock(std::int64_t n);

}  // namespace chapter04
