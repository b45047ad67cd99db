/// @file
/// Barriers that not all threads of a block come to: some wait at another one, or have gone past.
/// The compiled code tells where ways part around a barrier and where they meet again
/// (driver/barrier_regions.py). Who meets the others without a barrier in between went past it.
#include <algorithm>

#include "checker.h"

namespace cpu_device {
namespace {

/// @param who  "this one waits at another"
void report(Worker& worker, int waiting, int other, const void* place, const char* who) {
  const auto party = [&](int index, const void* pc) {
    return Party{{pc}, true, worker.lane(index).index, cpu_device_block_index};
  };
  add_problem({"divergent barrier", worker.launch->kernel->name, party(other, place),
               party(waiting, worker.lane(waiting).pc), who});
}

template <class Forks>
auto find(Forks& forks, const void* region) {
  return std::find_if(forks.begin(), forks.end(),
                      [=](const Fork& each) { return each.region == region; });
}

}  // namespace

void Checker::fork(Worker& worker, const void* region, const void* pc) {
  auto& inside = block_->lanes[static_cast<size_t>(worker.current_lane)].inside;
  const auto known = find(inside, region);
  if (known != inside.end()) {
    known->interval = block_->interval;
  } else {
    inside.push_back({region, pc, block_->interval});
  }
}

void Checker::join(Worker& worker, const void* region) {
  auto& lane = block_->lanes[static_cast<size_t>(worker.current_lane)];
  const auto known = find(lane.inside, region);
  if (known == lane.inside.end()) return;
  if (known->interval == block_->interval) lane.past.push_back(*known);
  lane.inside.erase(known);
}

/// All live lanes wait at barriers: at the same one, and has nobody gone past it?
void Checker::check_divergence(Worker& worker) {
  BlockCheck& block = *block_;
  int first = 0;
  while (worker.lane(first).state != LaneState::kAtBarrier) ++first;
  bool together = true;
  for (int i = first; i < worker.lane_count && together; ++i) {
    const Lane& lane = worker.lane(i);
    together = lane.state != LaneState::kAtBarrier || lane.pc == worker.lane(first).pc;
    if (!together) {
      report(worker, first, i, lane.pc,
             "threads of one block wait at different barriers: a __syncthreads() stands in a "
             "branch that not all of them take");
    }
  }
  for (int i = 0; i < worker.lane_count; ++i) {
    auto& past = block.lanes[static_cast<size_t>(i)].past;
    for (size_t k = 0; k < past.size() && together; ++k) {
      for (int w = first; w < worker.lane_count && together; ++w) {
        const auto& inside = block.lanes[static_cast<size_t>(w)].inside;
        if (w == i || worker.lane(w).state != LaneState::kAtBarrier) continue;
        if (find(inside, past[k].region) == inside.end()) continue;
        report(worker, w, i, past[k].pc,
               "a thread went past the barrier at which others of its block wait: a "
               "__syncthreads() stands in a branch or a loop that not all of them take");
        together = false;
      }
    }
    past.clear();
  }
}

}  // namespace cpu_device

extern "C" {

void cpu_device_fork(const void* region) {
  cpu_device::Worker& worker = *cpu_device::Worker::current();
  if (worker.checker) worker.checker->fork(worker, region, __builtin_return_address(0));
}

void cpu_device_join(const void* region) {
  cpu_device::Worker& worker = *cpu_device::Worker::current();
  if (worker.checker) worker.checker->join(worker, region);
}

}  // extern "C"
