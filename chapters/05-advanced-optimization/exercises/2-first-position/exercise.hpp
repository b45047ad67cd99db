#pragma once

#include <cuda_runtime.h>

#include <cstdint>

/// Finds the smallest position at which `wanted` stands, with one atomic a block on global memory.
/// \param d_values    n ints on the device
/// \param n           number of elements, 0 included
/// \param wanted      the value to find
/// \param d_position  one 64-bit integer on the device; overwritten: the position, or n when there is none
/// \param stream      everything is enqueued here
void first_position(const int* d_values, std::int64_t n, int wanted, unsigned long long* d_position,
                    cudaStream_t stream);
