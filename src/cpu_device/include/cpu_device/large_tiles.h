/// @file
/// Tiles of 64 to 1024 threads: whole warps of a block. Whoever calls one of these waits until all
/// threads of the tile do, as in the CUDA programming guide's chapter on cooperative groups.
#pragma once
#pragma GCC system_header

/// Values of `operation` below; runtime/large_tiles.cpp knows the same list.
enum cpu_device_tile_operation {
  cpu_device_tile_sync,
  cpu_device_tile_shuffle,
  cpu_device_tile_any,
  cpu_device_tile_partition  ///< waits, but promises no order
};

extern "C" {
/// @param size  of the tile; 0: the block.
/// @param rank  in the tile, of the thread whose value is wanted.
__device__ unsigned long long cpu_device_tile(unsigned int size, int operation,
                                              unsigned long long value, unsigned int rank)
    __attribute__((nomerge));
}

namespace cooperative_groups {

#define CPU_DEVICE_TILE __device__ inline __attribute__((always_inline))

/// Memory that tiles larger than a warp need on GPUs before compute capability 8.0.
template <unsigned int MaxBlockSize = 1024>
struct alignas(8) block_tile_memory {};

namespace details {
template <unsigned int Size>
class large_tile {
 public:
  CPU_DEVICE_TILE static void sync() { cpu_device_tile(Size, cpu_device_tile_sync, 0, 0); }
  CPU_DEVICE_TILE static constexpr unsigned int size() { return Size; }
  template <class T>
  CPU_DEVICE_TILE static T shfl(T value, unsigned int rank) {
    static_assert(sizeof(T) <= 8, "tiles larger than a warp exchange values of at most 8 bytes");
    unsigned long long word = 0;
    __builtin_memcpy(&word, &value, sizeof(T));
    word = cpu_device_tile(Size, cpu_device_tile_shuffle, word, rank);
    __builtin_memcpy(&value, &word, sizeof(T));
    return value;
  }
  CPU_DEVICE_TILE static int any(int predicate) {
    return static_cast<int>(cpu_device_tile(Size, cpu_device_tile_any, predicate != 0, 0));
  }
  CPU_DEVICE_TILE static int all(int predicate) { return !any(!predicate); }
};
}  // namespace details

#undef CPU_DEVICE_TILE

}  // namespace cooperative_groups
