/// @file
/// What is said when the threads of a block, or the blocks of a grid, can never go on.
#include <algorithm>
#include <cstdio>

#include "errors.h"
#include "problems.h"
#include "scheduler.h"
#include "symbolise.h"
#include "warp_operations.h"

namespace cpu_device {
namespace {

const char* what_it_waits_in(LaneState state, int operation) {
  switch (state) {
    case LaneState::kAtBarrier:
      return "__syncthreads";
    case LaneState::kAtGrid:
      return "grid.sync()";
    case LaneState::kAtPhase:
      return "a cuda::barrier";
    case LaneState::kAtTile:
      return "an operation of a tile larger than a warp";
    default:
      return warp_operation_name(operation);
  }
}

}  // namespace

void Worker::report_deadlock() {
  std::fprintf(stderr, "cpu_device: deadlock in kernel %s, block (%u,%u,%u): no thread can go on\n",
               launch->kernel->name.c_str(), cpu_device_block_index.x, cpu_device_block_index.y,
               cpu_device_block_index.z);
  struct Place {
    const void* pc;
    LaneState state;
    int first;
    int count;
  };
  std::vector<Place> places;
  for (int index = 0; index < lane_count; ++index) {
    const Lane& each = lane(index);
    if (each.state == LaneState::kExited) continue;
    auto known =
        std::find_if(places.begin(), places.end(), [&](const Place& p) { return p.pc == each.pc; });
    if (known != places.end()) {
      ++known->count;
    } else {
      places.push_back({each.pc, each.state, index, 1});
    }
  }
  for (const Place& place : places) {
    std::string mask;
    if (place.state == LaneState::kInWarp) {
      char text[32];
      std::snprintf(text, sizeof text, " with mask 0x%08x", lane(place.first).mask);
      mask = text;
    }
    std::fprintf(stderr, "cpu_device:   %d thread%s wait%s in %s%s at %s, the first is %s\n",
                 place.count, place.count == 1 ? "" : "s", place.count == 1 ? "s" : "",
                 what_it_waits_in(place.state, lane(place.first).operation), mask.c_str(),
                 source_line(place.pc).c_str(), describe_lane(*this, place.first).c_str());
  }
  const auto party = [&](const Place& place) {
    return Party{{place.pc}, true, lane(place.first).index, cpu_device_block_index};
  };
  add_problem({"deadlock", launch->kernel->name, party(places[0]),
               places.size() > 1 ? party(places[1]) : Party{},
               "no thread of the block can go on: some wait for others that never come", true});
  fail_in_kernel(cudaErrorLaunchTimeout);  // a GPU would hang until a watchdog ends it
  launch->stop();
}

std::string describe_lane(Worker& worker, int index) {
  const uint3 thread = worker.lane(index).index;
  const uint3 block = cpu_device_block_index;
  char text[128];
  std::snprintf(text, sizeof text, "thread (%u,%u,%u) of block (%u,%u,%u)", thread.x, thread.y,
                thread.z, block.x, block.y, block.z);
  return text;
}

void report_grid_deadlock(Launch& launch) {
  if (launch.stopped.exchange(true)) return;  // another OS thread tells it
  const GridBarrier& barrier = launch.barrier;
  const auto index = [&](uint64_t number) {
    return uint3{static_cast<unsigned>(number % launch.grid.x),
                 static_cast<unsigned>(number / launch.grid.x % launch.grid.y),
                 static_cast<unsigned>(number / launch.grid.x / launch.grid.y)};
  };
  const GridBarrier::Visitor& waiting = barrier.first_waiting();
  const uint3 w = index(waiting.block), e = index(barrier.first_ended());
  char text[256];
  std::snprintf(text, sizeof text,
                "%llu of %llu blocks wait in grid.sync() for others that have ended, such as "
                "block (%u,%u,%u)",
                static_cast<unsigned long long>(barrier.waiting()),
                static_cast<unsigned long long>(launch.block_count()), e.x, e.y, e.z);
  std::fprintf(stderr, "cpu_device: deadlock in kernel %s: %s\n", launch.kernel->name.c_str(),
               text);
  std::fprintf(stderr, "cpu_device:   at %s, the first is block (%u,%u,%u)\n",
               source_line(waiting.pc).c_str(), w.x, w.y, w.z);
  add_problem(
      {"deadlock", launch.kernel->name, {{waiting.pc}, true, waiting.thread, w}, {}, text, true});
  fail_in_kernel(cudaErrorLaunchTimeout);
  launch.stop();
}

}  // namespace cpu_device
