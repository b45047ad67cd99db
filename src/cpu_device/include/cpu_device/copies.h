/// @file
/// Copies by threads of a kernel, which on a GPU may be asynchronous. The bytes are moved at once,
/// 16, 8, 4 or 1 at a time, as alignment allows, as the hardware would; the checks take a copy for
/// unfinished until it is waited for (runtime/async_copies.h).
#pragma once
#pragma GCC system_header

extern "C" {
/// The accesses from here to the end belong to a copy that `barrier` waits for; null: that is a
/// part of the thread's next batch.
__device__ void cpu_device_async_begin(const void* barrier);
__device__ void cpu_device_async_end(void);
/// Ends the thread's batch.
__device__ void cpu_device_async_commit(void);
/// Waits for all but the last `prior` batches.
__device__ void cpu_device_async_wait(unsigned int prior);
}

template <class Piece>
__device__ inline __attribute__((always_inline)) void cpu_device_copy_pieces(
    void* target, const void* source, size_t bytes, unsigned int rank, unsigned int threads) {
  for (size_t i = rank; i < bytes / sizeof(Piece); i += threads) {
    static_cast<Piece*>(target)[i] = static_cast<const Piece*>(source)[i];
  }
}

/// The part of a copy of `bytes` bytes that thread `rank` of `threads` makes.
__device__ inline __attribute__((always_inline)) void cpu_device_copy(
    void* target, const void* source, size_t bytes, unsigned int rank, unsigned int threads) {
  const size_t low_bits =
      reinterpret_cast<size_t>(target) | reinterpret_cast<size_t>(source) | bytes;
  if (low_bits % 16 == 0) {
    cpu_device_copy_pieces<uint4>(target, source, bytes, rank, threads);
  } else if (low_bits % 8 == 0) {
    cpu_device_copy_pieces<uint2>(target, source, bytes, rank, threads);
  } else if (low_bits % 4 == 0) {
    cpu_device_copy_pieces<unsigned int>(target, source, bytes, rank, threads);
  } else {
    cpu_device_copy_pieces<unsigned char>(target, source, bytes, rank, threads);
  }
}

/// The same, asynchronously.
__device__ inline __attribute__((always_inline)) void cpu_device_copy_async(
    void* target, const void* source, size_t bytes, unsigned int rank, unsigned int threads,
    const void* barrier = nullptr) {
  cpu_device_async_begin(barrier);
  cpu_device_copy(target, source, bytes, rank, threads);
  cpu_device_async_end();
}
