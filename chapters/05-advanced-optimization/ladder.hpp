#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace chapter05 {

/// Every step of the family `sum_of_squares_i32`: adds the squares of n ints into one 64-bit sum.
/// \param d_values  n ints on the device, any alignment of int
/// \param n         number of elements, 0 included
/// \param d_sum     one 64-bit integer on the device; overwritten
/// \param stream    everything is enqueued here; returns without waiting
/// \throws coalesce::cuda_error when the launch is refused
using sum_step = void(const int* d_values, std::int64_t n, std::int64_t* d_sum,
                      cudaStream_t stream);

sum_step many_blocks;

}  // namespace chapter05
