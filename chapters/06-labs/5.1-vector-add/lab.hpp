#pragma once

#include <cstdint>

/// Lab 5.1: what is asked for.
namespace lab51 {

/// Adds two vectors of the host on the GPU: c[i] = a[i] + b[i].
/// \param a, b  n floats of the host; they may be the same array, and are not changed
/// \param n     number of elements, from 0 on
/// \param c     n floats of the host; overwritten, and nothing behind them
/// \par Stream behaviour
/// Synchronous: c is complete when it returns.
/// \throws coalesce::cuda_error when a call of CUDA fails
void vector_add(const float* a, const float* b, std::int64_t n, float* c);

}  // namespace lab51
