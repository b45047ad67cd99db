#pragma once

#include <cuda_runtime.h>

#include <cstdint>

/// Lab 5.1: what is asked for.
namespace lab51 {

// vector_add.cu

/// Adds two vectors of the host on the GPU, in memory from cudaMalloc: c[i] = a[i] + b[i].
/// \param a, b  n floats of the host; they may be the same array, and are not changed
/// \param n     number of elements, from 0 on
/// \param c     n floats of the host; overwritten, and nothing behind them
/// \par Stream behaviour
/// Synchronous: c is complete when it returns. No memory of the device is kept.
/// \throws coalesce::cuda_error when a call of CUDA fails; then, too, nothing is kept
void vector_add(const float* a, const float* b, std::int64_t n, float* c);

/// Adds a piece of two vectors that lie on the device: c[i] = a[i] + b[i] for the `count` elements
/// from number `first` on, and for no other. Each element is added once, neighbours by neighbours.
/// \param d_a, d_b  vectors of the device, longer than 2^32 elements where they like; not changed
/// \param first     number of the first element, from 0 on
/// \param count     how many, from 0 on
/// \param d_c       vector of the device
/// \par Stream behaviour
/// Enqueued on `stream` and nowhere else; returns without waiting.
/// \throws coalesce::cuda_error, coalesce::launch_error when the launch is refused
void add_slice(const float* d_a, const float* d_b, std::int64_t first, std::int64_t count,
               float* d_c, cudaStream_t stream);

// kernel_time.cu

/// Times a kernel on the device. The kernel's first launch, which loads its code, is not in the time.
/// \param launch   enqueues the work once on the default stream, and does not wait
/// \param context  what `launch` is to be called with
/// \return milliseconds of one launch, by events
/// \throws coalesce::cuda_error when a launch is refused or a call of CUDA fails
double kernel_milliseconds(void (*launch)(void* context), void* context);

}  // namespace lab51
