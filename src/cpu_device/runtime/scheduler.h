/// @file
/// Runs the blocks of one launch: every CUDA thread ("lane" of a warp) is a fiber, every block
/// stays on one OS thread. Lanes of a warp run one after another on one stack until one must wait;
/// only then a second fiber is taken, so a kernel without barriers costs one switch a warp.
#pragma once

#include <cuda_runtime.h>
// (after the runtime header)
#include <cpu_device/warp.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "fiber.h"
#include "kernel.h"

// threadIdx and its kin (include/cpu_device/builtins.h), of the lane that runs on this OS thread.
extern "C" {
extern __thread uint3 cpu_device_thread_index, cpu_device_block_index;
extern __thread uint3 cpu_device_block_dim, cpu_device_grid_dim;
}

namespace cpu_device {

class Trace;

constexpr int kWarpSize = 32;

enum class LaneState : uint8_t { kNew, kReady, kAtBarrier, kInWarp, kExited };

struct Lane {
  LaneState state = LaneState::kNew;
  bool yielded = false;  ///< ready, but it asked to let others run
  Fiber* fiber = nullptr;
  uint3 index{};
  int position = 0;  ///< place in the running order
  // What it waits for, and the result.
  const void* pc = nullptr;
  unsigned mask = 0;
  int operation = 0;
  int argument = 0;
  int width = 32;
  uint64_t value = 0;
  uint64_t result = 0;
};

/// One launch, shared by the OS threads that work on it.
struct Launch {
  const Kernel* kernel = nullptr;
  dim3 grid, block;
  size_t dynamic_shared = 0;
  void** arguments = nullptr;
  uintptr_t argument_base = 0;       ///< where their values lie ...
  size_t argument_bytes = 0;         ///< ... so that kernels may read those passed by reference
  std::atomic<bool> stopped{false};  ///< a lane failed: nothing further runs
};

/// One OS thread's scheduler.
class Worker {
 public:
  Worker();
  ~Worker();

  /// The worker of the calling OS thread while it runs a block, else null.
  static Worker* current();

  void begin(Launch* launch);
  void run_block(uint64_t block_number);
  void end();

  /// Parks the running lane (its state says why) and lets others run.
  void suspend();
  /// Lets the other lanes run before this one goes on.
  void yield();
  /// Ends the running lane for good; its launch has failed.
  [[noreturn]] void abandon_lane();

  Lane& lane() { return lanes_[static_cast<size_t>(current_lane)]; }
  Lane& lane(int index) { return lanes_[static_cast<size_t>(index)]; }
  Fiber* running_fiber() { return lane().fiber; }
  const FiberPool& fibers() const { return fibers_; }

  int current_lane = -1;  ///< index in the block of the running lane
  int lane_count = 0;
  Launch* launch = nullptr;
  uint64_t block_number = 0;
  std::unique_ptr<Trace> trace;  ///< counts memory requests, null when nobody asked

 private:
  static void fiber_main(boost::context::detail::transfer_t transfer);
  void enter(int lane);
  void resume(int lane);
  void prepare_lanes();
  void drop_fibers();
  bool run_warp(int first, int last, bool* yielded);
  bool resolve_warp(int first, int last);
  void complete(int first, unsigned group);
  bool release_barrier();
  void report_deadlock();
  int next_in_warp(int lane) const;

  boost::context::detail::fcontext_t scheduler_ = nullptr;
  FiberPool fibers_;
  std::vector<Lane> lanes_;
  std::vector<int> order_;  ///< lanes in running order, warp by warp
  std::mt19937_64 random_;
};

/// "thread (x,y,z) of block (x,y,z)" of a lane of the worker's block.
std::string describe_lane(Worker& worker, int lane);

}  // namespace cpu_device
