#pragma once

#include <cuda_runtime.h>

/// Adds to every element its own number: values[i] becomes values[i] + i.
/// \param d_values  n ints on the device, changed in place
/// \param n         number of elements, 0 included
/// \param stream    where the kernel is enqueued
void add_its_number(int* d_values, int n, cudaStream_t stream);
