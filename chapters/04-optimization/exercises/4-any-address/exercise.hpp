#pragma once

#include <cuda_runtime.h>

#include <cstdint>

/// Adds two vectors, c[i] = a[i] + b[i], by loads and stores of a float4 wherever that is possible.
///
/// The three addresses may be any multiples of 4. Where all three are equally far from a multiple of 16, all but the
/// first and the last few elements go by float4. Where they are not, single floats are fine.
/// \param d_a, d_b  n floats each, on the device; not changed
/// \param n         number of elements, 0 included
/// \param d_c       n floats on the device; overwritten
/// \param stream    where the kernels are enqueued
void add_anywhere(const float* d_a, const float* d_b, std::int64_t n, float* d_c,
                  cudaStream_t stream);
