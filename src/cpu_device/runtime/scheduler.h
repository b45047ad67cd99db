/// @file
/// Runs the blocks of one launch: every CUDA thread ("lane" of a warp) is a fiber, every block
/// stays on one OS thread. Lanes of a warp run one after another on one stack until one must wait;
/// only then a second fiber is taken, so a kernel without barriers costs one switch a warp.
/// A block that waits for other blocks is parked (residency.cpp) and another one runs.
#pragma once

#include <cuda_runtime.h>
// (after the runtime header)
#include <cpu_device/warp.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "fiber.h"
#include "kernel.h"
#include "running_launch.h"
#include "trace.h"

// threadIdx and its kin (include/cpu_device/builtins.h), of the lane that runs on this OS thread.
extern "C" {
extern __thread uint3 cpu_device_thread_index, cpu_device_block_index;
extern __thread uint3 cpu_device_block_dim, cpu_device_grid_dim;
}

namespace cpu_device {

constexpr int kWarpSize = 32;

class Checker;
struct BlockCheck;

enum class LaneState : uint8_t {
  kNew,
  kReady,
  kAtBarrier,
  kAtGrid,
  kAtPhase,
  kAtTile,
  kInWarp,
  kExited
};

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
  int width = 32;  ///< of a segment or tile
  uint64_t value = 0;
  uint64_t result = 0;
  const void* object = nullptr;  ///< the cuda::barrier whose phase must end
};

/// What becomes of a block when its threads have run as far as they can.
enum class BlockEnd : uint8_t {
  kFinished,
  kAtGrid,    ///< all live threads wait in grid.sync()
  kSpinning,  ///< they only ask again and again for something that another block must do
  kStopped    ///< the launch has failed
};

/// A block that has begun and makes room on its OS thread for another.
struct ParkedBlock {
  ParkedBlock();
  ~ParkedBlock();
  uint64_t number = 0;
  std::vector<Lane> lanes;
  std::vector<int> order;
  struct Stack {
    Fiber* fiber;
    Context context;
    size_t bytes;  ///< in use, below the stack's top
  };
  std::vector<Stack> stacks;
  std::vector<char> memory;  ///< contents of its stacks, then of its shared memory
  std::unique_ptr<Trace::BlockState> trace;
  std::unique_ptr<BlockCheck> check;
  bool at_grid = false;
  uint64_t round = 0;  ///< of the grid's barrier, when it waits there
};

/// One OS thread's scheduler.
class Worker {
 public:
  Worker();
  ~Worker();

  /// The worker of the calling OS thread while it runs a block, else null.
  static Worker* current() { return running_; }

  void begin(Launch* launch);
  /// Runs blocks of the launch until none is left for this OS thread.
  void run_blocks();
  void end();

  /// Parks the running lane (its state says why) and lets others run.
  void suspend();
  /// Parks the running lane until a barrier object has left this phase (phase_barrier.cpp).
  void wait_for_phase(const void* object, uint64_t phase, const void* pc);
  /// Parks the running lane until all of its tile of several warps wait (large_tiles.cpp).
  unsigned long long wait_for_tile(unsigned size, int operation, uint64_t value, unsigned rank,
                                   const void* pc);
  /// Lets the other lanes run before this one goes on.
  void yield();
  /// The lane read something that has not changed: it may be spinning, so now and then others run.
  void poll() {
    if (++polls_ % 32 == 0) yield();
  }
  /// Ends the running lane for good; its launch has failed.
  [[noreturn]] void abandon_lane();

  Lane& lane() { return lanes_[static_cast<size_t>(current_lane)]; }
  Lane& lane(int index) { return lanes_[static_cast<size_t>(index)]; }
  const Lane& lane(int index) const { return lanes_[static_cast<size_t>(index)]; }
  Fiber* running_fiber() { return lane().fiber; }
  const FiberPool& fibers() const { return fibers_; }
  /// Where the kernel's static shared variables lie on this OS thread.
  const std::vector<void*>& shared_places() const { return shared_places_; }

  int current_lane = -1;  ///< index in the block of the running lane
  int lane_count = 0;
  Launch* launch = nullptr;
  uint64_t block_number = 0;
  std::unique_ptr<Trace> trace;      ///< counts memory requests, null when nobody asked
  std::unique_ptr<Checker> checker;  ///< looks for faults, null when nobody asked

 private:
  static void fiber_main();
  void enter(int lane);
  void resume(int lane);
  int next_in_warp(int lane) const;

  // One block (scheduler.cpp).
  struct Round {
    bool ran = false;       ///< some lane ran ...
    bool advanced = false;  ///< ... and did more than to ask others to run first
  };
  void begin_block(uint64_t number);
  void set_block_index();
  void prepare_lanes();
  BlockEnd continue_block();
  Round run_warp(int first, int last);
  bool resolve_warp(int first, int last);
  bool all_live_lanes(LaneState state) const;
  bool release_barrier();
  bool release_tiles();
  void release_grid();
  enum class Phases : uint8_t { kNone, kReleased, kWaitInBlock, kWaitForOthers };
  Phases release_phases();
  void drop_fibers();
  void report_deadlock();

  // Blocks that make room for others (residency.cpp).
  void run_until_parked();
  std::unique_ptr<ParkedBlock> park();
  void unpark(ParkedBlock& block);
  std::unique_ptr<ParkedBlock> take_runnable();
  uint64_t arrive_at_grid();

  static inline constinit thread_local Worker* running_ = nullptr;

  Context scheduler_ = nullptr;
  FiberPool fibers_;
  std::vector<Lane> lanes_;
  std::vector<int> order_;  ///< lanes in running order, warp by warp
  std::mt19937_64 random_;
  unsigned polls_ = 0;
  bool waits_for_phase_ = false;  ///< some lane of the block may be in kAtPhase
  bool waits_for_tile_ = false;   ///< ... in kAtTile
  uint64_t advances_ = 0;         ///< grows when a lane waits or exits
  std::deque<std::unique_ptr<ParkedBlock>> parked_;
  std::vector<void*> shared_places_;  ///< of the launch's kernel on this OS thread
};

/// "thread (x,y,z) of block (x,y,z)" of a lane of the worker's block.
std::string describe_lane(Worker& worker, int lane);
/// Reports a grid barrier at which some blocks wait for others that have ended.
void report_grid_deadlock(Launch& launch);

}  // namespace cpu_device
