#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace chapter02 {

/// Every step of the family `scale_i32`: b[i] = 3 a[i] + 1 for n ints.
/// \param d_a     n ints on the device, any alignment of int, not overlapping d_b
/// \param n       number of elements, 0 included; up to 2^31 - 1 blocks of 256
/// \param d_b     n ints on the device; overwritten
/// \param stream  everything is enqueued here; returns without waiting
/// \throws coalesce::cuda_error when the launch is refused
using scale_step = void(const int* d_a, std::int64_t n, int* d_b, cudaStream_t stream);

scale_step one_block, one_thread_each, grid_stride;

/// Every step that only shows something: prints, and checks what it says.
/// \return 0 when what it prints is true, 1 when it is not
/// \throws coalesce::cuda_error
using show_step = int(std::int64_t);

show_step hello_threads, asynchronous_launch, default_stream, device_query, device_query_json,
    built_in_variables, launch_parameters, function_kinds, variable_kinds;

/// Evidence against claims of older texts; the same contract as the other shown steps.
show_step grid_limits, function_pointer, diverging_lanes, more_threads_than_lanes,
    blocks_communicate, shared_on_chip, bytes_not_bits, ieee_arithmetic;

}  // namespace chapter02
