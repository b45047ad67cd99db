#pragma once

#include <cuda_runtime.h>

#include <cstdint>

/// Adds up the columns of a matrix with one block of 256 threads.
/// \param d_matrix rows * cols ints on the device; element (row, col) is at row * cols + col
/// \param rows     number of rows; the sums of none are 0
/// \param cols     number of columns, any from 0 on: fewer than threads, or more
/// \param d_sums   cols 64-bit integers on the device; overwritten
/// \param stream   where the kernel is enqueued
void column_sums(const int* d_matrix, std::int64_t rows, std::int64_t cols, std::int64_t* d_sums,
                 cudaStream_t stream);
