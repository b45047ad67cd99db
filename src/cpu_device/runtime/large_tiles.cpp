/// @file
/// Tiles of several warps. All threads of one wait for one another; the scheduler then computes
/// what each gets.
#include <cuda_runtime.h>
// (after the runtime header)
#include <cpu_device/large_tiles.h>

#include <algorithm>

#include "checker.h"
#include "problems.h"
#include "scheduler.h"

namespace cpu_device {
namespace {

bool waits_with(const Lane& lane, const Lane& caller) {
  return lane.state == LaneState::kAtTile && lane.width == caller.width &&
         lane.operation == caller.operation;
}

/// Have all live lanes of the caller's tile come? Lanes that left are let off, but not a whole warp
/// of a tile: on a GPU its arrival is never seen.
bool all_have_come(Worker& worker, const Lane& caller, int first, int size) {
  for (int warp = first; warp < first + size; warp += kWarpSize) {
    bool somebody = caller.width == 0;
    for (int i = warp; i < std::min(warp + kWarpSize, worker.lane_count); ++i) {
      const Lane& lane = worker.lane(i);
      if (waits_with(lane, caller)) {
        somebody = true;
      } else if (lane.state != LaneState::kExited) {
        return false;
      }
    }
    if (!somebody) return false;
  }
  return true;
}

void report_lost_source(Worker& worker, const Lane& lane, int size) {
  add_problem(
      {"lost lane",
       worker.launch->kernel->name,
       {{lane.pc}, true, lane.index, cpu_device_block_index},
       {},
       "shfl() reads rank " + std::to_string(static_cast<unsigned>(lane.argument)) +
           " of a tile of " + std::to_string(size) +
           " threads, which has left the kernel or does not exist: the value is undefined"});
}

uint64_t result_for(Worker& worker, const Lane& lane, int first, int size, bool any) {
  if (lane.operation != cpu_device_tile_shuffle) return any;
  const auto rank = static_cast<unsigned>(lane.argument);
  const int source = first + static_cast<int>(rank % static_cast<unsigned>(size));
  if (rank < static_cast<unsigned>(size) && source < worker.lane_count &&
      worker.lane(source).state != LaneState::kExited) {
    return worker.lane(source).value;
  }
  if (worker.checker) report_lost_source(worker, lane, size);
  return lane.value;
}

void compute(Worker& worker, int first, int size) {
  const int last = std::min(first + size, worker.lane_count);
  bool any = false;
  for (int i = first; i < last; ++i) {
    const Lane& lane = worker.lane(i);
    any |= lane.state == LaneState::kAtTile && lane.value;
  }
  for (int i = first; i < last; ++i) {
    Lane& lane = worker.lane(i);
    if (lane.state == LaneState::kAtTile) lane.result = result_for(worker, lane, first, size, any);
  }
  for (int i = first; i < last; ++i) {
    Lane& lane = worker.lane(i);
    if (lane.state == LaneState::kAtTile) lane.state = LaneState::kReady;
  }
}

}  // namespace

/// Lets the threads of those tiles go on that are complete; returns whether there was one.
bool Worker::release_tiles() {
  bool waiting = false, released = false;
  for (int warp = 0; warp < lane_count; warp += kWarpSize) {
    const int end = std::min(warp + kWarpSize, lane_count);
    int index = warp;
    while (index < end && lane(index).state != LaneState::kAtTile) ++index;
    if (index == end) continue;
    const Lane caller = lane(index);
    const int size = caller.width ? caller.width : lane_count;
    const int first = index / size * size;
    if (!all_have_come(*this, caller, first, size)) {
      waiting = true;
      continue;
    }
    compute(*this, first, size);
    if (checker && caller.operation != cpu_device_tile_partition) {
      checker->tile_operation(*this, first, size);
    }
    released = true;
  }
  waits_for_tile_ = waiting;
  return released;
}

unsigned long long Worker::wait_for_tile(unsigned size, int operation, uint64_t value,
                                         unsigned rank, const void* pc) {
  Lane& waiting = lane();
  waiting.state = LaneState::kAtTile;
  waiting.pc = pc;
  waiting.width = static_cast<int>(size);
  waiting.operation = operation;
  waiting.value = value;
  waiting.argument = static_cast<int>(rank);
  waits_for_tile_ = true;
  suspend();
  return waiting.result;
}

}  // namespace cpu_device

extern "C" unsigned long long cpu_device_tile(unsigned int size, int operation,
                                              unsigned long long value, unsigned int rank) {
  return cpu_device::Worker::current()->wait_for_tile(size, operation, value, rank,
                                                      __builtin_return_address(0));
}
