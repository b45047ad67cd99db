#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace chapter05 {

// Every step here: n elements at d_in, n from 0 on; outputs at d_out are overwritten; everything is
// enqueued on `stream`, and it returns without waiting. Throws coalesce::cuda_error when a launch is
// refused.

/// Size from which on some tools repeat their inner work, so that it, and not a load, is timed. Smaller
/// inputs are for tests and counts.
inline constexpr std::int64_t timed_n = 1 << 22;

/// How often the inner work is done on an input of n elements: once, or `often`.
constexpr int repeats(std::int64_t n, int often = 64) {
  return n < timed_n ? 1 : often;
}

inline constexpr int reverse_block_size = 256;  ///< elements that are reversed together
inline constexpr int bins = 256;                ///< values that a histogram counts
inline constexpr int tile_side = 32;            ///< rows and columns of a tile
inline constexpr int warp_lanes = 32;           ///< lanes of a warp

/// Family `reverse_blocks`: each 256 elements in reverse order, and so the shorter rest.
using reverse_step = void(const int* d_in, std::int64_t n, int* d_out, cudaStream_t stream);

reverse_step reverse_direct;
reverse_step reverse_shared;

/// Family `count_small`: how many elements are below 5, n < 2^32.
using count_step = void(const int* d_in, std::int64_t n, std::uint32_t* d_count,
                        cudaStream_t stream);

count_step count_by_thread;
count_step count_by_warp;
count_step count_by_block;

/// Families `histogram` and `histogram_skewed`: how often each value 0 … 255 occurs, n < 2^32.
using histogram_step = void(const int* d_in, std::int64_t n, std::uint32_t* d_bins,
                            cudaStream_t stream);

histogram_step histogram_global;
histogram_step histogram_shared;
histogram_step histogram_copies;

/// Family `two_ways`: even elements go one way, odd elements another. \see tool_ways.hpp
using map_step = void(const std::uint32_t* d_in, std::int64_t n, std::uint32_t* d_out,
                      cudaStream_t stream);

map_step two_ways_by_lane;
map_step two_ways_by_warp;

/// Family `unequal_trips`: element i goes through i % 32 + 1 turns of a loop.
map_step trips_by_lane;
map_step trips_by_warp;

/// Family `many_ways`: the lanes of a warp go in turns, `ways` of them. \param ways 1 … 32
void many_ways(int ways, const std::uint32_t* d_in, std::int64_t n, std::uint32_t* d_out,
               cudaStream_t stream);

/// Family `tile_sums`: the sum of each tile of 32 × 32 elements, times repeats(n). The tile lies in shared
/// memory, `pitch` elements from row to row.
/// \param pitch 32 … 64; for 16 bytes a multiple of 4
void rows_by_4_bytes(int pitch, const int* d_in, std::int64_t n, std::uint32_t* d_sums,
                     cudaStream_t stream);
void rows_by_16_bytes(int pitch, const int* d_in, std::int64_t n, std::uint32_t* d_sums,
                      cudaStream_t stream);

/// Family `warp_sums`: the sum of each 32 elements.
using warp_sum_step = void(const int* d_in, std::int64_t n, std::int32_t* d_sums,
                           cudaStream_t stream);

warp_sum_step warp_sum_shared;
warp_sum_step warp_sum_shuffle;

/// A step that prints what it shows. \return 0 when everything it checks is right, else 1
int order_of_additions(std::int64_t n);
int message_passing(std::int64_t n);

}  // namespace chapter05
