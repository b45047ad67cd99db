#pragma once

#include <cuda_runtime.h>

#include <cstdint>

/// Adds two vectors, c[i] = a[i] + b[i], on one GPU thread.
/// \param d_a, d_b  n floats each, on the device; not changed
/// \param n         number of elements, 0 included
/// \param d_c       n floats on the device; overwritten
/// \param stream    where the kernel is enqueued
void add_vectors(const float* d_a, const float* d_b, std::int64_t n, float* d_c,
                 cudaStream_t stream);
