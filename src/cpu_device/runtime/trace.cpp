#include "trace.h"

#include <algorithm>
#include <mutex>

#include "memory.h"
#include "memory_model.h"
#include "registers.h"
#include "report.h"
#include "scheduler.h"
#include "settings.h"

extern "C" {
extern thread_local char cpu_device_dynamic_shared[];
}

namespace cpu_device {
namespace {

/// Events a lane may log before its warp is replayed. Results do not depend on it.
constexpr size_t kLogEvents = 256;

bool has_instrumented_code = false;

struct Current {
  std::mutex mutex;
  LaunchReport launch;
};

Current& current() {
  static Current once;
  return once;
}

/// What holds an address: an allocation, a device variable, a shared array.
struct Array {
  uintptr_t begin;
  size_t bytes;
  std::string name;
};

Array array_at(const Worker& worker, uintptr_t address) {
  if (in_arena(address)) {
    const auto found = allocation_near(address);
    return found ? Array{found->base, found->bytes, ""} : Array{address, 0, ""};
  }
  if (const Variable* variable = variable_at(address)) {
    return {reinterpret_cast<uintptr_t>(variable->address), variable->bytes, ""};
  }
  const Kernel& kernel = *worker.launch->kernel;
  for (size_t i = 0; i < kernel.shared_sizes.size(); ++i) {
    const auto begin = reinterpret_cast<uintptr_t>(worker.shared_places()[i]);
    if (address - begin < kernel.shared_sizes[i]) {
      return {begin, kernel.shared_sizes[i], kernel.shared_names[i]};
    }
  }
  return {reinterpret_cast<uintptr_t>(cpu_device_dynamic_shared), worker.launch->dynamic_shared,
          "dynamic"};
}

}  // namespace

void set_instrumented() {
  has_instrumented_code = true;
}
bool instrumented() {
  return has_instrumented_code;
}
bool tracing() {
  return has_instrumented_code && !settings().report.empty();
}

void begin_trace(const Launch& launch) {
  Current& now = current();
  now.launch = {};
  now.launch.kernel = launch.kernel->name;
  now.launch.grid = launch.grid;
  now.launch.block = launch.block;
  now.launch.dynamic_shared = launch.dynamic_shared;
  now.launch.static_shared = launch.kernel->static_shared;
  now.launch.registers = known_registers(launch.kernel->symbol);
}

void end_trace() {
  add_to_report(std::move(current().launch));
}

void Trace::begin(int lane_count) {
  const auto lanes = static_cast<size_t>((lane_count + kWarpSize - 1) / kWarpSize * kWarpSize);
  if (logs_.size() < lanes) logs_.resize(lanes);
  depth_.assign(lanes, 0);
  discard();
}

void Trace::discard() {
  for (Log& log : logs_) {
    log.events.clear();
    log.next = 0;
    log.full = false;
  }
  std::fill(depth_.begin(), depth_.end(), uint16_t{0});
}

void Trace::exchange(BlockState& other, int lane_count) {
  for (Log& log : logs_) {
    if (log.events.empty()) log.events.shrink_to_fit();  // many blocks may wait at a time
  }
  logs_.swap(other.logs);
  depth_.swap(other.depth);
  const auto lanes = static_cast<size_t>((lane_count + kWarpSize - 1) / kWarpSize * kWarpSize);
  logs_.resize(std::max(lanes, logs_.size()));
  depth_.resize(std::max(lanes, depth_.size()));
}

void Trace::append(Worker& worker, const Event& event) {
  Log& log = logs_[static_cast<size_t>(worker.current_lane)];
  log.events.push_back(event);
  if (log.events.size() - log.next >= kLogEvents) {
    log.full = true;
    worker.yield();
  }
}

void Trace::access(Worker& worker, Access access, Space space, uintptr_t address, size_t bytes,
                   const void* pc) {
  append(worker, {reinterpret_cast<uintptr_t>(pc), address, static_cast<uint16_t>(bytes),
                  depth_[static_cast<size_t>(worker.current_lane)], access, space});
}

void Trace::basic_block(Worker& worker, const void* pc) {
  append(worker, {reinterpret_cast<uintptr_t>(pc), 0, 0,
                  depth_[static_cast<size_t>(worker.current_lane)], Access::kBlock, Space::kOther});
}

bool Trace::replay(Worker& worker, int base) {
  const int count = std::min(kWarpSize, worker.lane_count - base);
  Log* const logs = logs_.data() + base;
  bool waits_for_log = false;
  // Bits of lanes: will log more without our help; has left the kernel.
  uint32_t running = 0, exited = 0;
  for (int i = 0; i < count; ++i) {
    const LaneState state = worker.lane(base + i).state;
    if (state == LaneState::kReady || state == LaneState::kNew) running |= 1u << i;
    if (state == LaneState::kExited) exited |= 1u << i;
    waits_for_log |= logs[i].full;
    logs[i].full = false;
  }
  for (;;) {
    const Event* first = nullptr;
    int live = 0;
    bool unknown = false;  // a running lane's next event is not logged yet
    for (int i = 0; i < count; ++i) {
      if (logs[i].empty()) {
        unknown |= running >> i & 1;
        live += !(exited >> i & 1);
        continue;
      }
      ++live;
      const Event& event = logs[i].events[logs[i].next];
      if (!first || event.depth > first->depth ||
          (event.depth == first->depth && event.pc < first->pc)) {
        first = &event;
      }
    }
    if (!first || unknown) break;
    const Event leader = *first;
    std::array<const Event*, kWarpSize> together{};
    int lanes = 0;
    for (int i = 0; i < count; ++i) {
      if (logs[i].empty()) continue;
      const Event& event = logs[i].events[logs[i].next];
      if (event.pc == leader.pc && event.depth == leader.depth && event.access == leader.access &&
          event.space == leader.space && event.bytes == leader.bytes) {
        together[static_cast<size_t>(i)] = &event;
        ++logs[i].next;
        ++lanes;
      }
    }
    request(worker, base, together, lanes, live);
  }
  for (int i = 0; i < count; ++i) {
    auto& events = logs[i].events;
    events.erase(events.begin(), events.begin() + static_cast<std::ptrdiff_t>(logs[i].next));
    logs[i].next = 0;
  }
  return waits_for_log;
}

void Trace::request(Worker& worker, int base, const std::array<const Event*, kWarpSize>& events,
                    int lanes, int live) {
  const Event* leader = nullptr;
  WarpAddresses addresses;
  for (int i = 0; i < kWarpSize; ++i) {
    const Event* event = events[static_cast<size_t>(i)];
    if (!event) continue;
    if (!leader) leader = event;
    addresses.active |= 1u << i;
    addresses.address[static_cast<size_t>(i)] = event->address;
  }
  addresses.bytes = leader->bytes;
  Counts& counts = counts_[{leader->pc, leader->access, leader->space, leader->bytes}];
  ++counts.requests;
  counts.active_lanes += static_cast<uint64_t>(lanes);
  counts.divergent += lanes < live;
  if (leader->access == Access::kBlock) return;
  if (settings().requests && worker.block_number == settings().request_block) {
    keep_example(worker, base, events, {leader->pc, leader->access, leader->space, leader->bytes});
  }
  if (leader->space == Space::kGlobal) {
    counts.sectors += static_cast<uint64_t>(sectors(addresses));
  } else {
    const Wavefronts passes = wavefronts(addresses);
    counts.wavefronts += static_cast<uint64_t>(passes.total);
    counts.conflicts += static_cast<uint64_t>(passes.total - passes.needed);
  }
}

void Trace::keep_example(Worker& worker, int base,
                         const std::array<const Event*, kWarpSize>& events,
                         const Instruction& instruction) {
  if (++kept_[instruction] > settings().requests) return;
  Example example;
  example.instruction = instruction;
  example.warp = base / kWarpSize;
  uintptr_t begin = 0;
  for (size_t i = 0; i < kWarpSize; ++i) {
    if (!events[i]) continue;
    const uintptr_t address = events[i]->address;
    if (!example.lanes) {
      const Array array = array_at(worker, address);
      begin = array.begin;
      example.array = array.name;
      example.array_bytes = array.bytes;
    }
    example.lanes |= 1u << i;
    example.offset[i] = static_cast<int64_t>(address - begin);
  }
  examples_.push_back(std::move(example));
}

void Trace::hand_in() {
  Current& now = current();
  std::lock_guard lock(now.mutex);
  for (const auto& [instruction, counts] : counts_) add(now.launch.counts[instruction], counts);
  for (Example& example : examples_) now.launch.examples.push_back(std::move(example));
  counts_.clear();
  examples_.clear();
  kept_.clear();
}

}  // namespace cpu_device
