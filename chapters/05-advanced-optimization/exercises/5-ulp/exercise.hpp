#pragma once

#include <cuda_runtime.h>

#include <cstdint>

/// Writes for each float the distance to the next larger float: one unit in its last place.
/// \param d_values  n finite floats on the device, none of them negative; 0 is among them
/// \param n         number of elements
/// \param d_ulps    n floats; element i gets next(values[i]) - values[i]
/// \param stream    where the kernel is enqueued
void units_in_last_place(const float* d_values, std::int64_t n, float* d_ulps, cudaStream_t stream);
