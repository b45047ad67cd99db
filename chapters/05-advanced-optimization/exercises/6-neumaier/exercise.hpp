#pragma once

#include <cuda_runtime.h>

#include <cstdint>

/// Adds n floats on one thread and keeps what is rounded away, also where a term is larger than the sum.
/// \param d_values  n floats on the device, of any sign and size
/// \param n         number of elements; of none, the sum is 0
/// \param d_sum     one float; overwritten, with an error of about one unit in its last place
/// \param stream    where the kernel is enqueued
void careful_sum(const float* d_values, std::int64_t n, float* d_sum, cudaStream_t stream);
