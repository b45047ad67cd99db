/// @file
/// Many blocks on one OS thread. A block that waits for other blocks is parked: the used part of
/// its stacks and its shared memory are copied away, and copied back to the same addresses when
/// it goes on. So thousands of blocks of a cooperative launch need the stacks of one.
#include <algorithm>
#include <cstring>
#include <thread>

#include "checker.h"
#include "scheduler.h"

extern "C" {
extern thread_local char cpu_device_dynamic_shared[];
}

namespace cpu_device {

ParkedBlock::ParkedBlock() = default;
ParkedBlock::~ParkedBlock() = default;

void Worker::run_blocks() {
  while (!launch->stopped) {
    if (const auto number = launch->next_block(parked_.empty())) {
      begin_block(*number);
    } else if (const auto block = take_runnable()) {
      unpark(*block);
    } else if (parked_.empty()) {
      return;
    } else {  // all that is parked here waits for blocks of other OS threads
      launch->barrier.wait(parked_.front()->round, launch->stopped);
      continue;
    }
    run_until_parked();
  }
  parked_.clear();
}

/// A parked block that can go on, the one that was parked first.
std::unique_ptr<ParkedBlock> Worker::take_runnable() {
  const auto found = std::find_if(parked_.begin(), parked_.end(), [this](const auto& block) {
    return !block->at_grid || launch->barrier.passed(block->round);
  });
  if (found == parked_.end()) return nullptr;
  auto block = std::move(*found);
  parked_.erase(found);
  return block;
}

void Worker::run_until_parked() {
  for (;;) {
    switch (continue_block()) {
      case BlockEnd::kFinished:
        if (checker) checker->end_block(*this);
        launch->block_ended(block_number);
        if (launch->barrier.deadlocked()) report_grid_deadlock(*launch);
        return;
      case BlockEnd::kStopped:
        return;
      case BlockEnd::kAtGrid: {
        const uint64_t round = arrive_at_grid();
        if (launch->barrier.passed(round)) {  // it was the last to come
          release_grid();
          break;
        }
        auto block = park();
        block->at_grid = true;
        block->round = round;
        parked_.push_back(std::move(block));
        return;
      }
      case BlockEnd::kSpinning:
        if (const auto number = launch->next_block(false)) {
          parked_.push_back(park());
          begin_block(*number);
        } else if (auto other = take_runnable()) {
          parked_.push_back(park());
          unpark(*other);
        } else {
          std::this_thread::yield();  // only blocks of other OS threads can help
        }
        break;
    }
  }
}

uint64_t Worker::arrive_at_grid() {
  GridBarrier::Visitor visitor;
  visitor.block = block_number;
  for (const Lane& each : lanes_) {
    if (each.state != LaneState::kAtGrid) continue;
    visitor.pc = each.pc;
    visitor.thread = each.index;
    break;
  }
  const uint64_t round = launch->barrier.arrive(visitor);
  if (launch->barrier.deadlocked()) report_grid_deadlock(*launch);
  return round;
}

std::unique_ptr<ParkedBlock> Worker::park() {
  auto block = std::make_unique<ParkedBlock>();
  block->number = block_number;
  size_t bytes = launch->dynamic_shared;
  for (const size_t each : launch->kernel->shared_sizes) bytes += each;
  for (const Lane& each : lanes_) {
    if (!each.fiber) continue;
    const char* low = static_cast<const char*>(each.fiber->context);
    const auto used = static_cast<size_t>(each.fiber->stack + kFiberStackBytes - low);
    block->stacks.push_back({each.fiber, each.fiber->context, used});
    bytes += used;
  }
  block->memory.resize(bytes);
  char* to = block->memory.data();
  const auto save = [&](const void* from, size_t size) {
    std::memcpy(to, from, size);
    to += size;
  };
  for (const auto& stack : block->stacks) {
    save(stack.context, stack.bytes);
    stack.fiber->context = nullptr;
    fibers_.give(stack.fiber);
  }
  for (size_t i = 0; i < shared_places_.size(); ++i) {
    save(shared_places_[i], launch->kernel->shared_sizes[i]);
  }
  save(cpu_device_dynamic_shared, launch->dynamic_shared);
  block->lanes.swap(lanes_);
  block->order.swap(order_);
  if (trace) {
    block->trace = std::make_unique<Trace::BlockState>();
    trace->exchange(*block->trace, lane_count);
  }
  if (checker) block->check = checker->exchange(nullptr);
  current_lane = -1;
  return block;
}

void Worker::unpark(ParkedBlock& block) {
  block_number = block.number;
  set_block_index();
  lanes_.swap(block.lanes);
  order_.swap(block.order);
  std::vector<Fiber*> fibers;
  for (const auto& stack : block.stacks) fibers.push_back(stack.fiber);
  fibers_.take(fibers);
  const char* from = block.memory.data();
  const auto restore = [&](void* to, size_t size) {
    std::memcpy(to, from, size);
    from += size;
  };
  for (const auto& stack : block.stacks) {
    restore(stack.context, stack.bytes);
    stack.fiber->context = stack.context;
  }
  for (size_t i = 0; i < shared_places_.size(); ++i) {
    restore(shared_places_[i], launch->kernel->shared_sizes[i]);
  }
  restore(cpu_device_dynamic_shared, launch->dynamic_shared);
  if (trace) trace->exchange(*block.trace, lane_count);
  if (checker) checker->exchange(std::move(block.check));
  waits_for_phase_ = waits_for_tile_ = true;  // perhaps: it finds out
  if (block.at_grid) release_grid();
}

}  // namespace cpu_device
