#include "scheduler.h"

#include <algorithm>
#include <cstdio>
#include <numeric>

#include "errors.h"
#include "report.h"
#include "settings.h"
#include "symbolise.h"
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

thread_local Worker* running = nullptr;

}  // namespace

Worker::Worker() = default;
Worker::~Worker() = default;
Worker* Worker::current() {
  return running;
}

void Worker::begin(Launch* new_launch) {
  launch = new_launch;
  lane_count = static_cast<int>(launch->block.x * launch->block.y * launch->block.z);
  lanes_.resize(static_cast<size_t>(lane_count));
  cpu_device_block_dim = launch->block;
  cpu_device_grid_dim = launch->grid;
  running = this;
  if (tracing() && !trace) trace = std::make_unique<Trace>();
  if (trace) trace->begin(lane_count);
}

void Worker::end() {
  running = nullptr;
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

void Worker::fiber_main(boost::context::detail::transfer_t transfer) {
  *static_cast<boost::context::detail::fcontext_t*>(transfer.data) = transfer.fctx;
  Worker& worker = *running;  // a fiber never leaves its OS thread
  for (;;) {
    worker.launch->kernel->thunk(worker.launch->arguments);
    Lane& finished = worker.lane();
    finished.state = LaneState::kExited;
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
  launch->stopped = true;
  switch_fiber(scheduler_, &lane().fiber->context);
  __builtin_unreachable();
}

void Worker::resume(int index) {
  Lane& target = lane(index);
  if (target.state == LaneState::kNew) {
    target.fiber = fibers_.take();
    if (!target.fiber->context) {
      target.fiber->context = boost::context::detail::make_fcontext(
          target.fiber->stack + kFiberStackBytes, kFiberStackBytes, fiber_main);
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

void Worker::run_block(uint64_t number) {
  block_number = number;
  const dim3 grid = launch->grid;
  cpu_device_block_index =
      uint3{static_cast<unsigned>(number % grid.x), static_cast<unsigned>(number / grid.x % grid.y),
            static_cast<unsigned>(number / grid.x / grid.y)};
  prepare_lanes();
  for (;;) {
    bool progress = false, yielded = false;
    for (int first = 0; first < lane_count && !launch->stopped; first += kWarpSize) {
      progress |= run_warp(first, std::min(first + kWarpSize, lane_count), &yielded);
    }
    if (launch->stopped) {
      drop_fibers();
      if (trace) trace->discard();
      return;
    }
    const bool all_exited = std::all_of(lanes_.begin(), lanes_.end(), [](const Lane& each) {
      return each.state == LaneState::kExited;
    });
    if (all_exited) break;
    if (release_barrier()) continue;
    if (!progress && !yielded) report_deadlock();
  }
}

/// Runs the lanes at positions [first, last) until none can go on. Returns whether any ran.
bool Worker::run_warp(int first, int last, bool* yielded) {
  bool any = false;
  for (bool again = true; again && !launch->stopped;) {
    again = false;
    bool waits_politely = false;
    for (int position = first; position < last && !launch->stopped; ++position) {
      const int index = order_[static_cast<size_t>(position)];
      const LaneState state = lane(index).state;
      if (state != LaneState::kNew && state != LaneState::kReady) continue;
      resume(index);
      any = true;
    }
    if (launch->stopped) return true;
    for (int position = first; position < last; ++position) {
      waits_politely |= lane(order_[static_cast<size_t>(position)]).yielded;
    }
    const int base = order_[static_cast<size_t>(first)] / kWarpSize * kWarpSize;
    const bool log_full = trace && trace->replay(*this, base);
    if (resolve_warp(base, std::min(base + kWarpSize, lane_count))) again = any = true;
    if (log_full) again = true;
    if (waits_politely && !again) *yielded = true;
  }
  return any;
}

bool Worker::release_barrier() {
  int waiting = 0;
  for (const Lane& each : lanes_) {
    if (each.state == LaneState::kAtBarrier) {
      ++waiting;
    } else if (each.state != LaneState::kExited) {
      return false;
    }
  }
  if (!waiting) return false;
  int count = 0;
  for (const Lane& each : lanes_) count += each.state == LaneState::kAtBarrier && each.value;
  for (Lane& each : lanes_) {
    if (each.state != LaneState::kAtBarrier) continue;
    each.result = static_cast<uint64_t>(each.operation == 0   ? count
                                        : each.operation == 1 ? count == waiting
                                                              : count != 0);
    each.state = LaneState::kReady;
  }
  return true;
}

bool Worker::resolve_warp(int first, int last) {
  bool progress = false;
  while (resolve_one_group(*this, first, last)) progress = true;
  return progress;
}

void Worker::report_deadlock() {
  std::fprintf(stderr, "cpu_device: deadlock in kernel %s, block (%u,%u,%u): no thread can go on\n",
               launch->kernel->name.c_str(), cpu_device_block_index.x, cpu_device_block_index.y,
               cpu_device_block_index.z);
  struct Place {
    const void* pc;
    bool barrier;
    int first;
    int count;
  };
  std::vector<Place> places;
  for (int index = 0; index < lane_count; ++index) {
    const Lane& each = lane(index);
    if (each.state == LaneState::kExited) continue;
    const bool barrier = each.state == LaneState::kAtBarrier;
    auto known =
        std::find_if(places.begin(), places.end(), [&](const Place& p) { return p.pc == each.pc; });
    if (known != places.end()) {
      ++known->count;
    } else {
      places.push_back({each.pc, barrier, index, 1});
    }
  }
  for (const Place& place : places) {
    std::string mask;
    if (!place.barrier) {
      char text[32];
      std::snprintf(text, sizeof text, " with mask 0x%08x", lane(place.first).mask);
      mask = text;
    }
    std::fprintf(stderr, "cpu_device:   %d thread%s wait%s in %s%s at %s, the first is %s\n",
                 place.count, place.count == 1 ? "" : "s", place.count == 1 ? "s" : "",
                 place.barrier ? "__syncthreads" : warp_operation_name(lane(place.first).operation),
                 mask.c_str(), source_line(place.pc).c_str(),
                 describe_lane(*this, place.first).c_str());
  }
  add_to_report({"deadlock", launch->kernel->name, places[0].pc, lane(places[0].first).index,
                 cpu_device_block_index, "no thread of the block can go on"});
  fail_in_kernel(cudaErrorLaunchTimeout);  // a GPU would hang until a watchdog ends it
  launch->stopped = true;
}

std::string describe_lane(Worker& worker, int index) {
  const uint3 thread = worker.lane(index).index;
  const uint3 block = cpu_device_block_index;
  char text[128];
  std::snprintf(text, sizeof text, "thread (%u,%u,%u) of block (%u,%u,%u)", thread.x, thread.y,
                thread.z, block.x, block.y, block.z);
  return text;
}

}  // namespace cpu_device

// ---- what kernels call

namespace {

/// `operation`: 0 count, 1 and, 2 or of the predicates.
int barrier(const void* pc, int operation, int predicate) {
  cpu_device::Worker& worker = *cpu_device::Worker::current();
  cpu_device::Lane& lane = worker.lane();
  lane.state = cpu_device::LaneState::kAtBarrier;
  lane.pc = pc;
  lane.operation = operation;
  lane.value = predicate != 0;
  worker.suspend();
  return static_cast<int>(lane.result);
}

}  // namespace

extern "C" {

void cpu_device_syncthreads() {
  barrier(__builtin_return_address(0), 0, 0);
}
int __syncthreads_count(int predicate) {
  return barrier(__builtin_return_address(0), 0, predicate);
}
int __syncthreads_and(int predicate) {
  return barrier(__builtin_return_address(0), 1, predicate);
}
int __syncthreads_or(int predicate) {
  return barrier(__builtin_return_address(0), 2, predicate);
}

void cpu_device_fence() {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  cpu_device::Worker::current()->yield();  // somebody may be waiting for what was written
}

void cpu_device_nanosleep(unsigned int) {
  cpu_device::Worker::current()->yield();
}

}  // extern "C"
