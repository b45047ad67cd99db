#include "scheduler.h"

#include <algorithm>
#include <numeric>

#include "checker.h"
#include "problems.h"
#include "settings.h"
#include "trace.h"
#include "warp_operations.h"

extern "C" {
__thread uint3 cpu_device_thread_index, cpu_device_block_index;
__thread uint3 cpu_device_block_dim, cpu_device_grid_dim;
// Every `extern __shared__` array of every kernel is this one; as large as any GPU's opt-in limit.
alignas(128) thread_local char cpu_device_dynamic_shared[232448];
}

namespace cpu_device {
namespace {

/// Rounds in which no lane did more than to let others run, until another block gets its turn.
constexpr int kFruitlessRounds = 16;

}  // namespace

Worker::Worker() = default;
Worker::~Worker() = default;

void Worker::begin(Launch* new_launch) {
  launch = new_launch;
  lane_count = static_cast<int>(launch->block.x * launch->block.y * launch->block.z);
  cpu_device_block_dim = launch->block;
  cpu_device_grid_dim = launch->grid;
  shared_places_.resize(launch->kernel->shared_sizes.size());
  launch->kernel->shared_places(shared_places_.data());
  running_ = this;
  if (tracing() && !trace) trace = std::make_unique<Trace>();
  if (trace) trace->begin(lane_count);
  if (checking() && instrumented() && !checker) checker = std::make_unique<Checker>();
  if (checker) checker->begin(*this);
}

void Worker::end() {
  running_ = nullptr;
  current_lane = -1;
}

// ---- lanes and fibers

void Worker::enter(int index) {
  current_lane = index;
  cpu_device_thread_index = lane().index;
}

/// The lane after this one in its warp's running order, or -1.
int Worker::next_in_warp(int index) const {
  const size_t next = static_cast<size_t>(lanes_[static_cast<size_t>(index)].position) + 1;
  if (next >= order_.size() || next % kWarpSize == 0) return -1;
  return order_[next];
}

void Worker::fiber_main() {
  Worker& worker = *running_;  // a fiber never leaves its OS thread
  for (;;) {
    worker.launch->kernel->thunk(worker.launch->arguments);
    Lane& finished = worker.lane();
    finished.state = LaneState::kExited;
    ++worker.advances_;
    Fiber* fiber = finished.fiber;
    finished.fiber = nullptr;
    const int next = worker.next_in_warp(worker.current_lane);
    if (next >= 0 && worker.lane(next).state == LaneState::kNew && !worker.launch->stopped) {
      worker.enter(next);  // the next lane starts on this very stack
      worker.lane().fiber = fiber;
      worker.lane().state = LaneState::kReady;
      continue;
    }
    worker.fibers_.give(fiber);
    switch_fiber(worker.scheduler_, &fiber->context);
  }
}

void Worker::suspend() {
  ++advances_;
  Fiber* fiber = lane().fiber;
  const int next = next_in_warp(current_lane);
  if (next >= 0 && lane(next).state == LaneState::kReady && lane(next).fiber && !launch->stopped) {
    enter(next);  // straight to the next lane, without asking the scheduler
    lane().yielded = false;
    switch_fiber(lane().fiber->context, &fiber->context);
  } else {
    switch_fiber(scheduler_, &fiber->context);
  }
}

void Worker::yield() {
  lane().yielded = true;
  switch_fiber(scheduler_, &lane().fiber->context);
}

void Worker::abandon_lane() {
  launch->stop();
  switch_fiber(scheduler_, &lane().fiber->context);
  __builtin_unreachable();
}

void Worker::resume(int index) {
  Lane& target = lane(index);
  if (target.state == LaneState::kNew) {
    target.fiber = fibers_.take();
    if (!target.fiber->context) {
      target.fiber->context = new_context(target.fiber->stack, fiber_main);
    }
  }
  target.state = LaneState::kReady;
  target.yielded = false;
  enter(index);
  switch_fiber(target.fiber->context, &scheduler_);
}

void Worker::drop_fibers() {
  for (Lane& each : lanes_) {
    if (!each.fiber) continue;
    each.fiber->context = nullptr;  // what it was doing is never finished
    fibers_.give(each.fiber);
    each.fiber = nullptr;
  }
}

// ---- a block

void Worker::prepare_lanes() {
  const dim3 dim = launch->block;
  order_.resize(static_cast<size_t>(lane_count));
  std::iota(order_.begin(), order_.end(), 0);
  if (settings().seed) {
    random_.seed(*settings().seed * 0x9e3779b97f4a7c15u + block_number);
    const int warps = lane_count / kWarpSize;  // a part-filled last warp keeps its place
    std::vector<int> warp_order(static_cast<size_t>(warps));
    std::iota(warp_order.begin(), warp_order.end(), 0);
    std::shuffle(warp_order.begin(), warp_order.end(), random_);
    for (int w = 0; w < warps; ++w) {
      const auto first = order_.begin() + w * kWarpSize;
      std::iota(first, first + kWarpSize, warp_order[static_cast<size_t>(w)] * kWarpSize);
      std::shuffle(first, first + kWarpSize, random_);
    }
    std::shuffle(order_.begin() + warps * kWarpSize, order_.end(), random_);
  }
  for (int position = 0; position < lane_count; ++position) {
    const unsigned index = static_cast<unsigned>(order_[static_cast<size_t>(position)]);
    Lane& each = lanes_[index];
    each.state = LaneState::kNew;
    each.yielded = false;
    each.fiber = nullptr;
    each.position = position;
    each.index = uint3{index % dim.x, index / dim.x % dim.y, index / (dim.x * dim.y)};
  }
}

void Worker::begin_block(uint64_t number) {
  block_number = number;
  waits_for_phase_ = waits_for_tile_ = false;
  lanes_.resize(static_cast<size_t>(lane_count));
  set_block_index();
  prepare_lanes();
  if (checker) checker->begin_block(*this);
}

void Worker::set_block_index() {
  const dim3 grid = launch->grid;
  cpu_device_block_index = uint3{static_cast<unsigned>(block_number % grid.x),
                                 static_cast<unsigned>(block_number / grid.x % grid.y),
                                 static_cast<unsigned>(block_number / grid.x / grid.y)};
}

bool Worker::all_live_lanes(LaneState state) const {
  return std::all_of(lanes_.begin(), lanes_.end(), [=](const Lane& each) {
    return each.state == state || each.state == LaneState::kExited;
  });
}

BlockEnd Worker::continue_block() {
  int fruitless = 0;  // rounds in a row in which lanes only asked others to run first
  for (;;) {
    Round round;
    for (int first = 0; first < lane_count && !launch->stopped; first += kWarpSize) {
      const Round warp = run_warp(first, std::min(first + kWarpSize, lane_count));
      round.ran |= warp.ran;
      round.advanced |= warp.advanced;
    }
    if (launch->stopped) {
      drop_fibers();
      if (trace) trace->discard();
      return BlockEnd::kStopped;
    }
    if (all_live_lanes(LaneState::kExited)) return BlockEnd::kFinished;
    if (release_barrier()) continue;
    if (waits_for_tile_ && release_tiles()) continue;
    if (all_live_lanes(LaneState::kAtGrid)) return BlockEnd::kAtGrid;
    const Phases phases = waits_for_phase_ ? release_phases() : Phases::kNone;
    if (phases == Phases::kReleased) continue;
    if (!round.ran && phases == Phases::kWaitForOthers) return BlockEnd::kSpinning;
    if (!round.ran) report_deadlock();
    fruitless = round.advanced ? 0 : fruitless + 1;
    if (fruitless >= kFruitlessRounds && !launch->stopped) return BlockEnd::kSpinning;
  }
}

/// Runs the lanes at positions [first, last) until none can go on.
Worker::Round Worker::run_warp(int first, int last) {
  Round round;
  const uint64_t advances_before = advances_;
  for (bool again = true; again && !launch->stopped;) {
    again = false;
    for (int position = first; position < last && !launch->stopped; ++position) {
      const int index = order_[static_cast<size_t>(position)];
      const LaneState state = lane(index).state;
      if (state != LaneState::kNew && state != LaneState::kReady) continue;
      resume(index);
      // It and those behind it have run, each after the other, up to one that may be ready again.
      position = std::max(position, lane(current_lane).position - 1);
      round.ran = true;
    }
    if (launch->stopped) break;
    const int base = order_[static_cast<size_t>(first)] / kWarpSize * kWarpSize;
    if (trace && trace->replay(*this, base)) {  // logs were full
      again = true;
      ++advances_;
    }
    if (resolve_warp(base, std::min(base + kWarpSize, lane_count))) again = round.ran = true;
  }
  round.advanced = advances_ != advances_before;
  return round;
}

bool Worker::release_barrier() {
  int waiting = 0, count = 0;
  for (const Lane& each : lanes_) {
    if (each.state == LaneState::kExited) continue;
    if (each.state != LaneState::kAtBarrier) return false;
    ++waiting;
    count += each.value != 0;
  }
  if (checker) checker->barrier(*this);
  for (Lane& each : lanes_) {
    if (each.state != LaneState::kAtBarrier) continue;
    each.result = static_cast<uint64_t>(each.operation == 0   ? count
                                        : each.operation == 1 ? count == waiting
                                                              : count != 0);
    each.state = LaneState::kReady;
  }
  return true;
}

void Worker::release_grid() {
  if (checker) checker->grid_barrier();
  for (Lane& each : lanes_) {
    if (each.state == LaneState::kAtGrid) each.state = LaneState::kReady;
  }
}

bool Worker::resolve_warp(int first, int last) {
  bool progress = false;
  while (resolve_one_group(*this, first, last)) progress = true;
  return progress;
}

}  // namespace cpu_device
