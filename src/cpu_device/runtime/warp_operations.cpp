#include "warp_operations.h"

#include <algorithm>

#include "checker.h"
#include "problems.h"
#include "trace.h"

namespace cpu_device {
namespace {

/// The lane that a shuffle of `lane` (number in the warp) reads; CUDA's rules for segments.
int shuffle_source(const Lane& lane, int number) {
  const int segment = number & ~(lane.width - 1);
  int source = number;
  switch (lane.operation) {
    case cpu_device_warp_shuffle_index:
      return segment + (lane.argument & (lane.width - 1));
    case cpu_device_warp_shuffle_up:
      source = number - lane.argument;
      return source < segment ? number : source;
    case cpu_device_warp_shuffle_down:
      source = number + lane.argument;
      return source >= segment + lane.width ? number : source;
    default:
      source = number ^ lane.argument;
      return source >= segment + lane.width ? number : source;
  }
}

uint64_t combine(int operation, uint64_t a, uint64_t b) {
  switch (operation) {
    case cpu_device_warp_add:
      return a + b;
    case cpu_device_warp_min_signed:
      return static_cast<int64_t>(a) < static_cast<int64_t>(b) ? a : b;
    case cpu_device_warp_max_signed:
      return static_cast<int64_t>(a) > static_cast<int64_t>(b) ? a : b;
    case cpu_device_warp_min_unsigned:
      return std::min(a, b);
    case cpu_device_warp_max_unsigned:
      return std::max(a, b);
    case cpu_device_warp_and:
      return a & b;
    case cpu_device_warp_or:
      return a | b;
    default:
      return a ^ b;
  }
}

/// A shuffle whose result is undefined: its source lane takes no part. Distances (up, down) that
/// reach beyond the mask are usual in reductions, whose lower lanes alone are used afterwards.
void report_lost_source(Worker& worker, int first, const Lane& lane, int source) {
  const bool in_mask = lane.mask >> source & 1;
  const bool by_distance = lane.operation == cpu_device_warp_shuffle_up ||
                           lane.operation == cpu_device_warp_shuffle_down;
  if (!in_mask && by_distance) return;
  std::string text = std::string(warp_operation_name(lane.operation)) + " reads lane " +
                     std::to_string(source) + " of the warp, ";
  if (!in_mask) {
    text += "which is not in the mask: the value is undefined";
  } else if (first + source >= worker.lane_count) {
    text +=
        "which does not exist in this block: the value is undefined, and the mask should name "
        "only the lanes that there are";
  } else {
    text +=
        "which has left the kernel: the value is undefined, and no lane may return before the "
        "warp's last operation";
  }
  add_problem({"lost lane",
               worker.launch->kernel->name,
               {{lane.pc}, true, lane.index, cpu_device_block_index},
               {},
               std::move(text)});
}

/// Computes the results of the lanes `group` (bits) of the warp that begins at lane `first`.
void compute(Worker& worker, int first, unsigned group) {
  const auto each = [&](auto&& action) {
    for (int i = 0; i < kWarpSize; ++i) {
      if (group >> i & 1) action(i, worker.lane(first + i));
    }
  };
  const int operation = worker.lane(first + __builtin_ctz(group)).operation;
  if (operation >= cpu_device_warp_shuffle_index && operation <= cpu_device_warp_shuffle_xor) {
    each([&](int i, Lane& lane) {
      const int source = shuffle_source(lane, i);
      const bool there = source < kWarpSize && (group >> source & 1);
      if (!there && worker.checker) report_lost_source(worker, first, lane, source);
      // A lane outside the group gives an undefined value on a GPU; here the caller keeps its own.
      lane.result = there ? worker.lane(first + source).value : lane.value;
    });
  } else if (operation == cpu_device_warp_ballot) {
    uint64_t bits = 0;
    each([&](int i, Lane& lane) { bits |= static_cast<uint64_t>(lane.value != 0) << i; });
    each([&](int, Lane& lane) { lane.result = bits; });
  } else if (operation == cpu_device_warp_match_any || operation == cpu_device_warp_match_all) {
    each([&](int, Lane& lane) {
      unsigned same = 0;
      each([&](int j, Lane& other) { same |= unsigned{other.value == lane.value} << j; });
      lane.result = operation == cpu_device_warp_match_any || same == group ? same : 0;
    });
  } else if (operation >= cpu_device_warp_add && operation <= cpu_device_warp_xor) {
    uint64_t sum = worker.lane(first + __builtin_ctz(group)).value;
    const unsigned rest = group & (group - 1);
    for (int i = 0; i < kWarpSize; ++i) {
      if (rest >> i & 1) sum = combine(operation, sum, worker.lane(first + i).value);
    }
    each([&](int, Lane& lane) { lane.result = sum; });
  } else if (operation == cpu_device_warp_active_mask) {
    each([&](int, Lane& lane) { lane.result = group; });
  }
  each([&](int, Lane& lane) { lane.state = LaneState::kReady; });
  if (worker.checker) worker.checker->warp_operation(worker, first, group);
}

/// The lanes that take part in the caller's operation; 0 while one of its mask is missing.
unsigned group_of_mask(const Worker& worker, int first, int last, int index) {
  const Lane& caller = worker.lane(index);
  if (!(caller.mask >> (index - first) & 1))            // not in its own mask: undefined on a GPU
    return worker.checker ? 1u << (index - first) : 0;  // reported; it goes on alone
  unsigned group = 0;
  for (int i = 0; i < kWarpSize; ++i) {
    if (!(caller.mask >> i & 1)) continue;
    if (first + i >= last || worker.lane(first + i).state == LaneState::kExited) continue;
    const Lane& other = worker.lane(first + i);
    if (other.state != LaneState::kInWarp || other.mask != caller.mask ||
        other.operation != caller.operation)
      return 0;
    group |= 1u << i;
  }
  return group;
}

bool asks_for_active_lanes(const Lane& lane) {
  return lane.state == LaneState::kInWarp && lane.operation == cpu_device_warp_active_mask;
}

/// The lanes that have come together at one call of __activemask: of several calls the earliest in
/// the code, so that lanes of a branch come out of it before its end counts who is there. 0 while a
/// lane can still run.
unsigned group_of_active_lanes(const Worker& worker, int first, int last) {
  const void* earliest = nullptr;
  for (int index = first; index < last; ++index) {
    const Lane& lane = worker.lane(index);
    if (lane.state == LaneState::kNew || lane.state == LaneState::kReady) return 0;
    if (asks_for_active_lanes(lane) && (!earliest || lane.pc < earliest)) earliest = lane.pc;
  }
  unsigned group = 0;
  for (int index = first; earliest && index < last; ++index) {
    const Lane& lane = worker.lane(index);
    if (asks_for_active_lanes(lane) && lane.pc == earliest) group |= 1u << (index - first);
  }
  return group;
}

}  // namespace

bool resolve_one_group(Worker& worker, int first, int last) {
  unsigned group = 0;
  for (int index = first; index < last && !group; ++index) {
    const Lane& caller = worker.lane(index);
    if (caller.state == LaneState::kInWarp && !asks_for_active_lanes(caller))
      group = group_of_mask(worker, first, last, index);
  }
  if (!group) group = group_of_active_lanes(worker, first, last);
  if (group) compute(worker, first, group);
  return group != 0;
}

const char* warp_operation_name(int operation) {
  static const char* const names[] = {"__syncwarp",        "__shfl_sync",       "__shfl_up_sync",
                                      "__shfl_down_sync",  "__shfl_xor_sync",   "a vote",
                                      "__match_any_sync",  "__match_all_sync",  "__reduce_add_sync",
                                      "__reduce_min_sync", "__reduce_max_sync", "__reduce_min_sync",
                                      "__reduce_max_sync", "__reduce_and_sync", "__reduce_or_sync",
                                      "__reduce_xor_sync", "__activemask"};
  return names[operation];
}

}  // namespace cpu_device

extern "C" unsigned long long cpu_device_warp(unsigned int mask, int operation,
                                              unsigned long long value, int argument, int width) {
  cpu_device::Worker& worker = *cpu_device::Worker::current();
  cpu_device::Lane& lane = worker.lane();
  lane.state = cpu_device::LaneState::kInWarp;
  lane.pc = __builtin_return_address(0);
  lane.mask = mask;
  lane.operation = operation;
  lane.value = value;
  lane.argument = argument;
  lane.width = width;
  const int number = worker.current_lane % cpu_device::kWarpSize;
  if (worker.checker && operation != cpu_device_warp_active_mask && !(mask >> number & 1)) {
    cpu_device::add_problem(
        {"caller not in mask",
         worker.launch->kernel->name,
         cpu_device::this_lane(lane.pc),
         {},
         std::string(cpu_device::warp_operation_name(operation)) + " is called by lane " +
             std::to_string(number) +
             ", which its mask does not name: every calling lane must be in the mask"});
  }
  worker.suspend();
  return lane.result;
}
