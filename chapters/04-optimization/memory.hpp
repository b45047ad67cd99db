#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "coalesce/device.hpp"

namespace chapter04 {

/// Ints from one place of the chain to the next at least: a cache line of 128 bytes.
inline constexpr int chase_line = 32;
/// Loads of one launch. The first visit of a place fills the cache; with so many loads it hardly counts.
inline constexpr int chase_loads = 1 << 16;

/// The step of the family `pointer_chase`: follows a chain of `chase_loads` places with one thread.
/// \param d_next n ints on the device; each place of the chain holds the next
/// \param n      ints, 0 included; n * 4 bytes are the footprint
/// \param d_ends two ints on the device; overwritten with the first and the last place
/// \param d_last one int on the device: the place to begin with; holds the last place afterwards
/// \param stream everything is enqueued here; returns without waiting
/// \throws coalesce::cuda_error when the launch is refused
void pointer_chase(const int* d_next, std::int64_t n, int* d_ends, void* d_last,
                   cudaStream_t stream);

/// Threads of a block of read_footprint().
inline constexpr int read_threads = 1024;
/// Vectors of 16 bytes that a thread reads.
inline constexpr int read_turns = 1024;

/// Blocks that fill the current device once: two on every multiprocessor of 2048 threads.
int read_blocks_of_device();

/// The step of the family `read_footprint`: block b of `blocks` reads `read_turns * read_threads` vectors
/// one after the other, from its share of the array on, and begins again at its end. A block that is
/// alone begins where the launch before ended, so that a large array is met as a whole.
/// \param d_values n ints on the device, the first at a multiple of 16 bytes
/// \param n        0 to 2^33 ints; the last n % 4 are left out
/// \param d_sums   blocks * read_threads + 1 ints on the device; overwritten with what each thread added
///                 up, modulo 2^32, and with the vector that block 0 began at
/// \param d_next   one int on the device: the vector to begin at, below n / 4; 0 for n < 4
/// \param blocks   1 measures one multiprocessor, read_blocks_of_device() the device
/// \param stream   everything is enqueued here; returns without waiting
/// \throws coalesce::cuda_error when the launch is refused
void read_footprint(const int* d_values, std::int64_t n, int* d_sums, void* d_next, int blocks,
                    cudaStream_t stream);

}  // namespace chapter04
