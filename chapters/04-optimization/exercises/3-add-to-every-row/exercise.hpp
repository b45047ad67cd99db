#pragma once

#include <cuda_runtime.h>

#include <cstdint>

/// Adds a vector to every row of a matrix: c[row][col] = a[row][col] + v[col].
///
/// Several threads, in blocks of two dimensions; neighbouring threads take neighbouring columns.
/// \param d_a     ny rows of nx floats on the device, row by row; not changed
/// \param d_v     nx floats on the device; not changed
/// \param nx, ny  columns and rows, 0 included; multiples of nothing
/// \param d_c     ny rows of nx floats on the device; overwritten
/// \param stream  where the kernel is enqueued
void add_to_every_row(const float* d_a, const float* d_v, std::int64_t nx, std::int64_t ny,
                      float* d_c, cudaStream_t stream);
