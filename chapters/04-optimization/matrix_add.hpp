#pragma once

#include <cuda_runtime.h>

#include <cstdint>

// Part B: C = A + B, matrices of ny rows and nx columns of floats, stored row by row.

namespace chapter04 {

/// Every step of the family `matrix_add`: c[row][col] = a[row][col] + b[row][col].
/// \param d_a, d_b  ny * nx floats each on the device; not changed
/// \param nx, ny    columns and rows, 0 included
/// \param d_c       ny * nx floats on the device; overwritten; none of the inputs
/// \param stream    everything is enqueued here; returns without waiting
/// \throws coalesce::launch_error, coalesce::cuda_error when the launch is refused
using add_step = void(const float* d_a, const float* d_b, std::int64_t nx, std::int64_t ny,
                      float* d_c, cudaStream_t stream);

/// One element a thread, x along the columns. \param block shape of a block, z = 1
void one_element_a_thread(const float* d_a, const float* d_b, std::int64_t nx, std::int64_t ny,
                          float* d_c, dim3 block, cudaStream_t stream);

/// The same launch, but the kernel numbers its threads along the array. \param block as above
void renumbered(const float* d_a, const float* d_b, std::int64_t nx, std::int64_t ny, float* d_c,
                dim3 block, cudaStream_t stream);

/// As many blocks as the device holds at once; each walks along the array.
/// \param threads of a block
void resident_grid(const float* d_a, const float* d_b, std::int64_t nx, std::int64_t ny, float* d_c,
                   int threads, cudaStream_t stream);

/// Blocks of 256 threads, several elements a thread. \param elements 2, 4 or 8
void several_a_thread(const float* d_a, const float* d_b, std::int64_t nx, std::int64_t ny,
                      float* d_c, int elements, cudaStream_t stream);

/// One float4 a thread; several_a_thread where an address is no multiple of 16.
/// \param threads of a block
void float4_a_thread(const float* d_a, const float* d_b, std::int64_t nx, std::int64_t ny,
                     float* d_c, int threads, cudaStream_t stream);

/// Blocks of 256 threads, several float4 a thread; otherwise as float4_a_thread.
/// \param vectors   2, 4 or 8
/// \param blocks    at most so many blocks on a multiprocessor at once; 0: as many as fit
void several_float4_a_thread(const float* d_a, const float* d_b, std::int64_t nx, std::int64_t ny,
                             float* d_c, int vectors, int blocks, cudaStream_t stream);

/// What a load or store tells the caches about its data.
enum class cache_hint {
  plain,         ///< nothing
  streaming,     ///< `.cs`: used once, first to go
  l2_only,       ///< `.cg`: not kept in L1
  no_allocate,   ///< loads only: not kept in L1, and L2 fetches 256 bytes at a time (8.0 and newer)
  write_through  ///< `.wt`, stores only
};

/// float4_a_thread with 256 threads and hints. \param load, store hints of the loads and of the stores
void with_hints(const float* d_a, const float* d_b, std::int64_t nx, std::int64_t ny, float* d_c,
                cache_hint load, cache_hint store, cudaStream_t stream);

/// Blocks of 256 threads, several float4 a thread, copied to shared memory past the registers (compute
/// capability 8.0; before it by registers); otherwise as float4_a_thread. \param vectors 1, 2 or 4
void async_copy(const float* d_a, const float* d_b, std::int64_t nx, std::int64_t ny, float* d_c,
                int vectors, cudaStream_t stream);

/// float4_a_thread whose launch may begin before the launch in front of it has ended.
/// \param threads of a block
void early_launch(const float* d_a, const float* d_b, std::int64_t nx, std::int64_t ny, float* d_c,
                  int threads, cudaStream_t stream);

/// Shape of a step with bulk copies.
struct bulk_shape {
  int threads = 256;  ///< of a block
  int tile = 768;     ///< elements of each matrix that one copy brings; a multiple of 4
  int stages = 1;     ///< tiles of a block under way at once; at most most_stages
  int blocks = 0;     ///< blocks on a multiprocessor; 0: as many as fit
  int tiles = 1;      ///< consecutive tiles of a block; 0: blocks stay and share all tiles
};

inline constexpr int most_stages = 8;

/// Bulk copies (compute capability 9.0) bring one tile of each matrix to a block; any n, and
/// several_a_thread where an address is no multiple of 16. Uses threads and tile of `shape`.
void bulk_copy(const float* d_a, const float* d_b, std::int64_t nx, std::int64_t ny, float* d_c,
               const bulk_shape& shape, cudaStream_t stream);

/// Bulk copies through a ring of stages; otherwise as bulk_copy.
void bulk_ring(const float* d_a, const float* d_b, std::int64_t nx, std::int64_t ny, float* d_c,
               const bulk_shape& shape, cudaStream_t stream);

/// early_launch below by_size_large elements, and an early launch of bulk copies from there on.
/// Addresses that are no multiples of 16 take several_a_thread.
add_step by_size;

inline constexpr std::int64_t by_size_large = std::int64_t{1} << 24;  ///< more than caches hold
inline constexpr int by_size_tile = 768;  ///< elements of each matrix that a block copies

/// A step that prints what it shows. \param n the reader's size, or 0 for the step's own
/// \return 0 when everything it checks is right, else 1
int block_occupancy(std::int64_t n);
int waves(std::int64_t n);
int launch_limits(std::int64_t n);
int in_strips(std::int64_t n);

}  // namespace chapter04
