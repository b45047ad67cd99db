#pragma once

#include <cuda_runtime.h>

#include <cstdint>

/// Finds the largest of n ints, with one atomic operation a block.
/// \param d_values   n ints on the device, any values
/// \param n          number of elements; of none, the largest is INT32_MIN
/// \param d_largest  one int on the device; overwritten
/// \param stream     where everything is enqueued
void largest_value(const int* d_values, std::int64_t n, int* d_largest, cudaStream_t stream);
