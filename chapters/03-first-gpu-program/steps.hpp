#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <span>

namespace chapter03 {

/// Every step of the family `sum_of_squares_i32`: adds the squares of n ints into one 64-bit sum.
/// \param d_values  n ints on the device, any alignment of int
/// \param n         number of elements, 0 included
/// \param d_sum     one 64-bit integer on the device; overwritten
/// \param stream    everything is enqueued here; returns without waiting
/// \throws coalesce::cuda_error when the launch is refused
using sum_step = void(const int* d_values, std::int64_t n, std::int64_t* d_sum,
                      cudaStream_t stream);

sum_step one_thread;
sum_step one_thread_no_unroll;

/// A baseline of the family: the same on the host. \param values n ints \param sum one element, overwritten
using sum_baseline = void(std::span<const int> values, std::span<std::int64_t> sum);

sum_baseline cpu_one_thread;
sum_baseline cpu_all_cores;

/// A step that prints what it shows. \param n the reader's size, or 0 for the step's own
/// \return 0 when everything it checks is right, else 1
using show_step = int(std::int64_t n);

show_step allocate_copy_free;
show_step one_thread_clock;
show_step one_load;
show_step timing_three_ways;
show_step launch_queue;
show_step overflow;
show_step first_launch;

}  // namespace chapter03
