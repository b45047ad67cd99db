#pragma once

#include <cuda_runtime.h>

#include <cstdint>

/// Adds the array a, last element first, to the array b: b[n - 1 - i] += a[i].
/// Launches at most four blocks of at most 256 threads, however large n is.
/// \param d_a     n ints on the device
/// \param n       number of elements, 0 included
/// \param d_b     n ints on the device; each is added to once
/// \param stream  where the kernel is enqueued
void add_reversed(const int* d_a, std::int64_t n, int* d_b, cudaStream_t stream);
