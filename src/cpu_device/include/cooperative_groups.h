/// @file
/// Cooperative groups: the grid, the block, its tiles, the lanes that are together and parts of
/// these. What is missing: clusters.
#pragma once
#pragma GCC system_header
#include <cuda_runtime.h>

#if defined(__CUDACC__)
#include <cpu_device/large_tiles.h>

namespace cooperative_groups {

#define CPU_DEVICE_GROUP __device__ inline __attribute__((always_inline))

namespace details {
/// The thread's number in its block.
CPU_DEVICE_GROUP unsigned int block_rank() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
CPU_DEVICE_GROUP unsigned int block_size() {
  return blockDim.x * blockDim.y * blockDim.z;
}
CPU_DEVICE_GROUP unsigned int lane() {
  return block_rank() % 32;
}
}  // namespace details

class thread_block {
 public:
  CPU_DEVICE_GROUP static void sync() { __syncthreads(); }
  CPU_DEVICE_GROUP static unsigned int thread_rank() { return details::block_rank(); }
  CPU_DEVICE_GROUP static unsigned int num_threads() { return details::block_size(); }
  CPU_DEVICE_GROUP static unsigned int size() { return details::block_size(); }
  CPU_DEVICE_GROUP static dim3 group_index() { return dim3(blockIdx); }
  CPU_DEVICE_GROUP static dim3 thread_index() { return dim3(threadIdx); }
  CPU_DEVICE_GROUP static dim3 dim_threads() { return blockDim; }
  CPU_DEVICE_GROUP static dim3 group_dim() { return blockDim; }
  struct arrival_token {};
  /// Waiting does all the work: here nothing is gained between the two.
  CPU_DEVICE_GROUP static arrival_token barrier_arrive() { return {}; }
  CPU_DEVICE_GROUP static void barrier_wait(arrival_token&&) { sync(); }
};
CPU_DEVICE_GROUP thread_block this_thread_block() {
  return {};
}
/// All threads of the block call it.
template <unsigned int MaxBlockSize>
CPU_DEVICE_GROUP thread_block this_thread_block(block_tile_memory<MaxBlockSize>&) {
  cpu_device_tile(0, cpu_device_tile_partition, 0, 0);
  return {};
}

class grid_group {
 public:
  /// Is the launch cooperative?
  CPU_DEVICE_GROUP static bool is_valid() { return cpu_device_grid_is_valid(); }
  CPU_DEVICE_GROUP static unsigned long long thread_rank() {
    return block_rank() * details::block_size() + details::block_rank();
  }
  CPU_DEVICE_GROUP static unsigned long long num_threads() {
    return num_blocks() * details::block_size();
  }
  CPU_DEVICE_GROUP static unsigned long long size() { return num_threads(); }
  CPU_DEVICE_GROUP static unsigned long long block_rank() {
    return blockIdx.x +
           static_cast<unsigned long long>(gridDim.x) * (blockIdx.y + gridDim.y * blockIdx.z);
  }
  CPU_DEVICE_GROUP static unsigned long long num_blocks() {
    return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z;
  }
  CPU_DEVICE_GROUP static dim3 dim_blocks() { return gridDim; }
  CPU_DEVICE_GROUP static dim3 block_index() { return dim3(blockIdx); }
  CPU_DEVICE_GROUP static dim3 group_dim() { return gridDim; }
  /// In a launch that is not cooperative it traps, as on a GPU.
  CPU_DEVICE_GROUP static void sync() { cpu_device_grid_sync(); }
  struct arrival_token {};
  CPU_DEVICE_GROUP static arrival_token barrier_arrive() { return {}; }
  CPU_DEVICE_GROUP static void barrier_wait(arrival_token&&) { sync(); }
};
CPU_DEVICE_GROUP grid_group this_grid() {
  return {};
}

/// What tiles and coalesced groups share: collectives over the lanes of a mask.
/// @tparam Derived  has mask(), num_threads(), and lane_of(rank), the lane in the warp.
template <class Derived>
class warp_part {
 public:
  CPU_DEVICE_GROUP void sync() const { __syncwarp(self().mask()); }
  CPU_DEVICE_GROUP unsigned int size() const { return self().num_threads(); }
  template <class T>
  CPU_DEVICE_GROUP T shfl(T value, int rank) const {
    return from(value, static_cast<unsigned int>(rank) % self().num_threads());
  }
  template <class T>
  CPU_DEVICE_GROUP T shfl_up(T value, unsigned int delta) const {
    const unsigned int rank = self().thread_rank();
    return from(value, rank < delta ? rank : rank - delta);
  }
  template <class T>
  CPU_DEVICE_GROUP T shfl_down(T value, unsigned int delta) const {
    const unsigned int rank = self().thread_rank();
    const bool beyond = rank + delta >= self().num_threads();
    return from(value, beyond ? rank : rank + delta);
  }
  CPU_DEVICE_GROUP int any(int predicate) const { return __any_sync(self().mask(), predicate); }
  CPU_DEVICE_GROUP int all(int predicate) const { return __all_sync(self().mask(), predicate); }
  CPU_DEVICE_GROUP unsigned int ballot(int predicate) const {
    return self().pack(__ballot_sync(self().mask(), predicate));
  }
  template <class T>
  CPU_DEVICE_GROUP unsigned int match_any(T value) const {
    return self().pack(__match_any_sync(self().mask(), value));
  }
  template <class T>
  CPU_DEVICE_GROUP unsigned int match_all(T value, int& same) const {
    return self().pack(__match_all_sync(self().mask(), value, &same));
  }

 private:
  CPU_DEVICE_GROUP const Derived& self() const { return static_cast<const Derived&>(*this); }
  template <class T>
  CPU_DEVICE_GROUP T from(T value, unsigned int rank) const {
    static_assert(sizeof(T) <= 32, "groups shuffle values of at most 32 bytes");
    return cpu_device_shuffle(self().mask(), cpu_device_warp_shuffle_index, value,
                              self().lane_of(rank), 32);
  }
};

namespace details {
/// The size of the group that was partitioned: that of the block, of a tile, or, when the type does
/// not tell (void), what the tile was made from.
template <class Parent>
struct partitioned {
  static constexpr unsigned int tile_size = 0;
  CPU_DEVICE_GROUP static unsigned int parent_size() { return block_size(); }
};
template <>
struct partitioned<void> {
  CPU_DEVICE_GROUP explicit partitioned(unsigned int size) : size_(size) {}
  CPU_DEVICE_GROUP unsigned int parent_size() const { return size_; }

 private:
  unsigned int size_;
};

/// What threads of a tile do together: within a warp, or (large_tile) across several.
template <unsigned int Size, class Tile, bool InOneWarp = (Size <= 32)>
class tile_operations : public large_tile<Size> {};
template <unsigned int Size, class Tile>
class tile_operations<Size, Tile, true> : public warp_part<Tile> {
 public:
  CPU_DEVICE_GROUP static unsigned int mask() {
    return (Size == 32 ? 0xffffffffu : (1u << (Size % 32)) - 1) << base();
  }
  CPU_DEVICE_GROUP static int lane_of(unsigned int rank) { return static_cast<int>(base() + rank); }
  CPU_DEVICE_GROUP static unsigned int pack(unsigned int lanes) { return lanes >> base(); }
  template <class T>
  CPU_DEVICE_GROUP T shfl_xor(T value, unsigned int lanes) const {
    return cpu_device_shuffle(mask(), cpu_device_warp_shuffle_xor, value, static_cast<int>(lanes),
                              Size);
  }

 private:
  CPU_DEVICE_GROUP static unsigned int base() { return lane() / Size * Size; }
};
}  // namespace details

template <unsigned int Size, class Parent = void>
class thread_block_tile : public details::tile_operations<Size, thread_block_tile<Size, Parent>>,
                          private details::partitioned<Parent> {
  static_assert(Size >= 1 && Size <= 1024 && (Size & (Size - 1)) == 0,
                "the size of a tile is a power of two up to 1024");

 public:
  thread_block_tile() = default;
  /// thread_block_tile<32> is made of any tile of 32 and keeps its place among its neighbours.
  template <class Other>
  CPU_DEVICE_GROUP thread_block_tile(const thread_block_tile<Size, Other>& other)
      : details::partitioned<Parent>(other.meta_group_size() * Size) {}
  CPU_DEVICE_GROUP static unsigned int thread_rank() { return details::block_rank() % Size; }
  CPU_DEVICE_GROUP static constexpr unsigned int num_threads() { return Size; }
  CPU_DEVICE_GROUP unsigned int meta_group_rank() const {
    return details::block_rank() % this->parent_size() / Size;
  }
  CPU_DEVICE_GROUP unsigned int meta_group_size() const {
    return (this->parent_size() + Size - 1) / Size;
  }
};
namespace details {
template <unsigned int Size, class Parent>
struct partitioned<thread_block_tile<Size, Parent>> {
  static constexpr unsigned int tile_size = Size;
  CPU_DEVICE_GROUP static unsigned int parent_size() { return Size; }
};
}  // namespace details
template <unsigned int Size, class Parent>
CPU_DEVICE_GROUP thread_block_tile<Size, Parent> tiled_partition(const Parent&) {
  using origin = details::partitioned<Parent>;
  static_assert(!origin::tile_size || Size < origin::tile_size,
                "a tile is smaller than the tile that it is a part of");
  if (Size > 32) cpu_device_tile(origin::tile_size, cpu_device_tile_partition, 0, 0);
  return {};
}

class coalesced_group : public warp_part<coalesced_group> {
 public:
  CPU_DEVICE_GROUP explicit coalesced_group(unsigned int mask, unsigned int meta_rank = 0,
                                            unsigned int meta_size = 1)
      : mask_(mask), meta_rank_(meta_rank), meta_size_(meta_size) {}
  CPU_DEVICE_GROUP unsigned int meta_group_rank() const { return meta_rank_; }
  CPU_DEVICE_GROUP unsigned int meta_group_size() const { return meta_size_; }
  CPU_DEVICE_GROUP unsigned int mask() const { return mask_; }
  CPU_DEVICE_GROUP unsigned int num_threads() const {
    return static_cast<unsigned int>(__popc(mask_));
  }
  CPU_DEVICE_GROUP unsigned int thread_rank() const {
    return static_cast<unsigned int>(__popc(mask_ & ((1u << details::lane()) - 1)));
  }
  CPU_DEVICE_GROUP int lane_of(unsigned int rank) const {
    unsigned int rest = mask_;
    while (rank--) rest &= rest - 1;
    return __ffs(static_cast<int>(rest)) - 1;
  }
  /// Bits of lanes become bits of ranks.
  CPU_DEVICE_GROUP unsigned int pack(unsigned int lanes) const {
    unsigned int result = 0, bit = 1;
    for (unsigned int rest = mask_; rest; rest &= rest - 1, bit <<= 1) {
      if (lanes & rest & (0u - rest)) result |= bit;
    }
    return result;
  }

 private:
  unsigned int mask_;
  unsigned int meta_rank_, meta_size_;
};
CPU_DEVICE_GROUP coalesced_group coalesced_threads() {
  return coalesced_group(__activemask());
}

namespace details {
/// Tiles whose size is not a constant have 1, 2, 4, 8, 16 or 32 threads; a kernel that asks for others
/// traps, as on a GPU.
CPU_DEVICE_GROUP void check_tile(unsigned int size) {
  if (size == 0 || size > 32 || (size & (size - 1)) != 0) __trap();
}
}  // namespace details

/// Pieces of `size` neighbouring ranks; the last may be smaller.
CPU_DEVICE_GROUP coalesced_group tiled_partition(const coalesced_group& group, unsigned int size) {
  details::check_tile(size);
  const unsigned int piece = group.thread_rank() / size, all = group.num_threads();
  unsigned int lanes = 0;
  for (unsigned int rank = piece * size; rank < (piece + 1) * size && rank < all; ++rank) {
    lanes |= 1u << group.lane_of(rank);
  }
  return coalesced_group(lanes, piece, (all + size - 1) / size);
}
/// The threads of the group with the same label.
template <class Group, class Label>
CPU_DEVICE_GROUP coalesced_group labeled_partition(const Group& group, Label label) {
  const unsigned int mine = __match_any_sync(group.mask(), label);
  // Rank among the pieces: by their first lanes.
  const bool first = (mine & (0u - mine)) == 1u << details::lane();
  const unsigned int firsts = __ballot_sync(group.mask(), first);
  const unsigned int before = firsts & ((mine & (0u - mine)) - 1);
  return coalesced_group(mine, static_cast<unsigned int>(__popc(before)),
                         static_cast<unsigned int>(__popc(firsts)));
}
/// The threads of the group for which the predicate is as for the caller.
template <class Group>
CPU_DEVICE_GROUP coalesced_group binary_partition(const Group& group, bool predicate) {
  const unsigned int yes = __ballot_sync(group.mask(), predicate);
  return coalesced_group(predicate ? yes : group.mask() & ~yes, !predicate, 2);
}
/// Calls `function` in one thread of the group.
template <class Group, class Function, class... Arguments>
CPU_DEVICE_GROUP void invoke_one(const Group& group, Function&& function,
                                 Arguments&&... arguments) {
  if (group.thread_rank() == 0) function(static_cast<Arguments&&>(arguments)...);
}
template <class Group, class Function, class... Arguments>
CPU_DEVICE_GROUP auto invoke_one_broadcast(const Group& group, Function&& function,
                                           Arguments&&... arguments)
    -> decltype(function(static_cast<Arguments&&>(arguments)...)) {
  decltype(function(static_cast<Arguments&&>(arguments)...)) result{};
  if (group.thread_rank() == 0) result = function(static_cast<Arguments&&>(arguments)...);
  return group.shfl(result, 0);
}

/// Any of the above, its kind known only when the program runs.
class thread_group {
 public:
  CPU_DEVICE_GROUP thread_group(const thread_block&) : block_(true), lanes_(0) {}
  template <unsigned int Size, class Parent>
  CPU_DEVICE_GROUP thread_group(const thread_block_tile<Size, Parent>& tile)
      : block_(false), lanes_(tile.mask()) {}
  CPU_DEVICE_GROUP thread_group(const coalesced_group& group)
      : block_(false), lanes_(group.mask()) {}
  CPU_DEVICE_GROUP void sync() const {
    if (block_) {
      __syncthreads();
    } else {
      __syncwarp(lanes_.mask());
    }
  }
  CPU_DEVICE_GROUP unsigned int thread_rank() const {
    return block_ ? details::block_rank() : lanes_.thread_rank();
  }
  CPU_DEVICE_GROUP unsigned int num_threads() const {
    return block_ ? details::block_size() : lanes_.num_threads();
  }
  CPU_DEVICE_GROUP unsigned int size() const { return num_threads(); }

 private:
  bool block_;
  coalesced_group lanes_;
};
/// Pieces of `size` threads of a block or of a tile.
CPU_DEVICE_GROUP thread_group tiled_partition(const thread_group& group, unsigned int size) {
  details::check_tile(size);
  const unsigned int first = details::lane() / size * size;
  (void)group;
  return coalesced_group((size == 32 ? 0xffffffffu : (1u << size % 32) - 1) << first);
}

template <class Group>
CPU_DEVICE_GROUP void sync(const Group& group) {
  group.sync();
}
template <class Group>
CPU_DEVICE_GROUP auto thread_rank(const Group& group) {
  return group.thread_rank();
}

#undef CPU_DEVICE_GROUP

}  // namespace cooperative_groups

#endif
