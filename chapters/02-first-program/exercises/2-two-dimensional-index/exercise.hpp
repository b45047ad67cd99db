#pragma once

#include <cuda_runtime.h>

/// Fills a matrix, stored row after row, with out(row, col) = 1000 row + col.
/// \param rows    rows, 0 included, at most 2000
/// \param cols    columns, 0 included, less than 1000
/// \param d_out   rows * cols ints on the device; overwritten
/// \param stream  where the kernel is enqueued
void fill_matrix(int rows, int cols, int* d_out, cudaStream_t stream);
