/// @file
/// threadIdx, blockIdx, blockDim, gridDim, warpSize: thread-local variables of the runtime, which
/// the scheduler sets for the running lane. A lane never sees them change, hence const.
#pragma once
#pragma GCC system_header

extern const __device__ __thread uint3 threadIdx __asm__("cpu_device_thread_index");
extern const __device__ __thread uint3 blockIdx __asm__("cpu_device_block_index");
extern const __device__ __thread dim3 blockDim __asm__("cpu_device_block_dim");
extern const __device__ __thread dim3 gridDim __asm__("cpu_device_grid_dim");
constexpr int warpSize = 32;
