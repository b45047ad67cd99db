#pragma once

#include <cuda_runtime.h>

#include <cstdint>

/// Floats of scratch that the dot product may use.
inline constexpr int dot_scratch = 1024;

/// The dot product of two vectors of floats, whose bits depend on the vectors only.
/// \param d_a, d_b   n floats each
/// \param n          number of elements; of none, the product is 0
/// \param d_dot      one float; overwritten
/// \param d_scratch  dot_scratch floats, with anything in them
/// \param blocks     blocks of the grid, 1 or more: must not change a bit
/// \param stream     everything is enqueued here
void same_bits_dot(const float* d_a, const float* d_b, std::int64_t n, float* d_dot,
                   float* d_scratch, int blocks, cudaStream_t stream);
