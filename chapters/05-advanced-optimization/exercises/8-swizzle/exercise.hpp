#pragma once

#include <cuda_runtime.h>

#include <cstdint>

/// Transposes a matrix of ints through a tile of 32 × 32 ints in shared memory, without bank conflicts and
/// without an unused int: d_out[col * rows + row] = d_in[row * cols + col].
/// \param d_in    rows × cols ints on the device, row after row
/// \param rows    0 or more
/// \param cols    0 or more
/// \param d_out   cols × rows ints on the device, another array; overwritten
/// \param stream  where the kernel is enqueued
void transpose(const int* d_in, std::int64_t rows, std::int64_t cols, int* d_out,
               cudaStream_t stream);
