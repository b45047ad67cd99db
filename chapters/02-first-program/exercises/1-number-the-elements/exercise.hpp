#pragma once

#include <cuda_runtime.h>

/// Writes to each of n elements its own number: out[i] = i.
/// \param n       number of elements, 0 included
/// \param d_out   n ints on the device; overwritten
/// \param stream  where the kernel is enqueued
void number_the_elements(int n, int* d_out, cudaStream_t stream);
