#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "coalesce/launch.hpp"

namespace chapter05 {

/// A step of the family `sum_of_squares_f32`: adds the squares of n floats into one float.
/// \param d_values  n floats on the device, any alignment of float
/// \param n         number of elements, 0 included
/// \param d_sum     one float on the device; overwritten
/// \param stream    everything is enqueued here; returns without waiting
/// \throws coalesce::cuda_error when the launch is refused
using float_step = void(const float* d_values, std::int64_t n, float* d_sum, cudaStream_t stream);

float_step float_one_thread;
float_step float_one_thread_kahan;
float_step float_atomic;

/// The same with scratch. \param d_workspace float_workspace_bytes(n) bytes, the first 256 of them zero,
/// as they are again when the step has ended
using float_workspace_step = void(const float* d_values, std::int64_t n, float* d_sum,
                                  void* d_workspace, cudaStream_t stream);

float_workspace_step float_kahan;
float_workspace_step float_pairwise;
float_workspace_step float_double;

/// The deterministic sum on a grid of the caller's choice.
/// \param chains  into how many interleaved parts the tiles are dealt: a part of the sum's definition
/// \param blocks  blocks of the grid, at most: changes the time and no bit
/// \tparam Threads in a block \tparam Loads of 16 bytes in flight in each thread: both define the order
template <int Threads, int Loads>
void deterministic(const float* d_values, std::int64_t n, float* d_sum, void* d_workspace,
                   cudaStream_t stream, int chains, int blocks);

/// Its definition in the course: the same constants on every device.
inline constexpr int deterministic_threads = 512, deterministic_loads = 4,
                     deterministic_chains = 1056;

/// The sum with a number of bytes in flight: 256 threads a block.
/// \param blocks_per_sm  blocks for each multiprocessor \tparam Loads of 16 bytes in each thread
template <int Loads>
void in_flight(const float* d_values, std::int64_t n, float* d_sum, cudaStream_t stream,
               int blocks_per_sm);

/// The sum with many values in each thread. \tparam Blocks as __launch_bounds__ promises: 1, 2 or 4
template <int Blocks>
void limited_registers(const float* d_values, std::int64_t n, float* d_sum, cudaStream_t stream);

/// What the compiler made of it. \param blocks 1, 2 or 4
coalesce::kernel_facts limited_registers_facts(int blocks);

/// A step of the family `matrix_product_f32`: c = a * b, all of n rows and columns, row after row.
/// \param d_ab  a, and behind it b \param n rows and columns, 0 included \param d_c overwritten
using product_step = void(const float* d_ab, std::int64_t n, float* d_c, cudaStream_t stream);

product_step product_plain;
product_step product_tiled;

/// Bytes of scratch for any step of the family: a ticket, and 4 bytes a tile or 8 a block.
constexpr std::int64_t float_workspace_bytes(std::int64_t n) {
  return 256 + 65536 + n / 4096 * 4;
}

/// A step that prints what it shows. \param n the reader's size, or 0 for the step's own
/// \return 0 when everything it checks is right, else 1
using float_show = int(std::int64_t n);

float_show rounding;
float_show orders;
float_show repeated_sums;
float_show sum_errors;
float_show occupancy;
float_show registers_and_spills;
float_show little;
float_show launch_cost;
float_show l2_and_write_back;

}  // namespace chapter05
