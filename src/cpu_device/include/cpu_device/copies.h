/// @file
/// Copies by threads of a kernel, which on a GPU may be asynchronous: here they are performed at
/// once. Each moves 16, 8, 4 or 1 bytes at a time, as alignment allows, as the hardware would.
#pragma once
#pragma GCC system_header

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
