#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace chapter05 {

/// Every step of the family `sum_of_squares_i32`: adds the squares of n ints into one 64-bit sum.
/// \param d_values  n ints on the device, any alignment of int
/// \param n         number of elements, 0 included
/// \param d_sum     one 64-bit integer on the device; overwritten
/// \param stream    everything is enqueued here; returns without waiting
/// \throws coalesce::cuda_error when the launch is refused
using sum_step = void(const int* d_values, std::int64_t n, std::int64_t* d_sum,
                      cudaStream_t stream);

/// The same, for steps that need scratch memory.
/// \param d_workspace  a sum_workspace on the device, ready for use; left ready for the next launch
using sum_step_with_workspace = void(const int* d_values, std::int64_t n, std::int64_t* d_sum,
                                     void* d_workspace, cudaStream_t stream);

sum_step many_blocks;
sum_step block_sums;
sum_step tree_divergent;
sum_step tree_bank_conflicts;
sum_step tree_sequential;
sum_step first_add_during_load;
sum_step warp_shuffle;
sum_step grid_stride;
sum_step wide_loads;
sum_step_with_workspace one_launch;
sum_step_with_workspace cooperative_grid;
sum_step_with_workspace packed_ticket;
sum_step_with_workspace tile_a_block;
sum_step_with_workspace early_launch;
sum_step_with_workspace by_size;

}  // namespace chapter05
