#pragma once

#include <cuda_runtime.h>

#include <cstdint>

/// Adds the cubes of n ints on one GPU thread.
/// \param d_values  n ints from -1000 to 1000, on the device
/// \param n         number of elements, 0 included
/// \param d_sum     one 64-bit integer on the device; overwritten
/// \param stream    where the kernel is enqueued
void sum_of_cubes(const int* d_values, std::int64_t n, std::int64_t* d_sum, cudaStream_t stream);
