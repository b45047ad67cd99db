/// @file
/// One launch while it runs, shared by the OS threads that work on it: which blocks are still to
/// be begun, and the barrier of all blocks of a cooperative launch.
#pragma once

#include <cuda_runtime.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>

#include "kernel.h"

namespace cpu_device {

/// A permutation of the blocks for CPU_DEVICE_SEED: multiplication by a number coprime to the
/// count, then a shift.
struct BlockOrder {
  explicit BlockOrder(uint64_t count);
  uint64_t operator()(uint64_t i) const {
    return static_cast<uint64_t>((static_cast<unsigned __int128>(i) * factor + shift) % count);
  }
  uint64_t count, factor = 1, shift = 0;
};

/// grid.sync(): a block comes when all its live threads have come.
class GridBarrier {
 public:
  struct Visitor {
    uint64_t block = ~uint64_t{0};
    const void* pc = nullptr;  ///< where it waits
    uint3 thread{};            ///< its first thread that waits
  };

  explicit GridBarrier(uint64_t blocks) : blocks_(blocks) {}

  /// A block waits. Returns the number of the round that must have passed before it goes on.
  uint64_t arrive(const Visitor& visitor);
  bool passed(uint64_t round) const { return round_ > round; }
  /// A block has ended.
  void leave(uint64_t block);
  /// Sleeps until a round has passed or the launch has stopped.
  void wait(uint64_t round, const std::atomic<bool>& stopped);
  /// Wakes who sleeps, since the launch has stopped.
  void wake();

  /// Set when some blocks wait for others that have ended: none of them can ever go on.
  bool deadlocked() const { return deadlocked_; }
  const Visitor& first_waiting() const { return first_waiting_; }
  uint64_t waiting() const { return arrived_; }
  uint64_t first_ended() const { return first_ended_; }
  uint64_t ended() const { return ended_; }

 private:
  void look();

  const uint64_t blocks_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::atomic<uint64_t> round_{0};
  uint64_t arrived_ = 0, ended_ = 0;
  Visitor first_waiting_;
  uint64_t first_ended_ = ~uint64_t{0};
  std::atomic<bool> deadlocked_{false};
};

struct Launch {
  Launch(const Kernel& kernel, dim3 grid, dim3 block)
      : kernel(&kernel), grid(grid), block(block), order(block_count()), barrier(block_count()) {}

  uint64_t block_count() const { return uint64_t{grid.x} * grid.y * grid.z; }
  /// The number of a block to begin, if there is one, and room for it on the chosen GPU.
  /// @param must  the caller has nothing else to do, so begin one even if there is no room.
  std::optional<uint64_t> next_block(bool must);
  void block_ended(uint64_t number);
  void stop();

  const Kernel* kernel;
  dim3 grid, block;
  size_t dynamic_shared = 0;
  bool cooperative = false;
  void** arguments = nullptr;
  uintptr_t argument_base = 0;       ///< where their values lie ...
  size_t argument_bytes = 0;         ///< ... so that kernels may read those passed by reference
  std::atomic<bool> stopped{false};  ///< a lane failed: nothing further runs
  uint64_t room = ~uint64_t{0};      ///< blocks that the chosen GPU runs at a time
  BlockOrder order;
  GridBarrier barrier;

 private:
  std::atomic<uint64_t> begun_{0};
  std::atomic<uint64_t> resident_{0};
};

}  // namespace cpu_device
