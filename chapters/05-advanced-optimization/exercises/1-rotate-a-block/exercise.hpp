#pragma once

#include <cuda_runtime.h>

#include <cstdint>

/// Rotates each 256 elements, and so the shorter rest, by `distance` places to the right: the element at
/// place p of its block goes to place p + distance, and what falls out on the right comes in on the left.
/// \param d_in      n ints on the device
/// \param n         number of elements, 0 included
/// \param distance  any number, also negative or larger than a block
/// \param d_out     n ints on the device, another array; overwritten
/// \param stream    where the kernel is enqueued
void rotate_blocks(const int* d_in, std::int64_t n, int distance, int* d_out, cudaStream_t stream);
