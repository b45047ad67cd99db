#pragma once

#include <cuda_runtime.h>

#include <cstdint>

/// Counts the elements that equal `wanted`, on one GPU thread.
/// \param d_values  n ints on the device
/// \param n         number of elements; of none, 0 are equal
/// \param wanted    the value to count
/// \param d_count   one 64-bit integer on the device; overwritten, also for n = 0
/// \param stream    where the kernel is enqueued
void count_equal(const int* d_values, std::int64_t n, int wanted, std::int64_t* d_count,
                 cudaStream_t stream);
