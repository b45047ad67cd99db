#include "trace.h"

#include <algorithm>
#include <bit>
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
  discard();
}

void Trace::discard() {
  for (Log& log : logs_) {
    log.size = log.depth = 0;
    log.full = false;
  }
}

void Trace::exchange(BlockState& other, int lane_count) {
  for (Log& log : logs_) {
    if (!log.size) log.events = Log().events;  // many blocks may wait at a time
  }
  logs_.swap(other);
  const auto lanes = static_cast<size_t>((lane_count + kWarpSize - 1) / kWarpSize * kWarpSize);
  logs_.resize(std::max(lanes, logs_.size()));
}

void Trace::make_room(Worker& worker) {
  const auto lane = static_cast<size_t>(worker.current_lane);
  if (logs_[lane].size >= kLogEvents) {
    logs_[lane].full = true;
    worker.yield();
  }
  Log& log = logs_[lane];  // still full when others, whose events come first, have logged none
  if (log.size == log.events.size()) log.events.resize(2 * log.size);
}

bool Trace::replay(Worker& worker, int base) {
  const auto count = static_cast<size_t>(std::min(kWarpSize, worker.lane_count - base));
  Log* const logs = logs_.data() + base;
  bool waits_for_log = false;
  // Bits of lanes: will log more without our help; has not left the kernel; has events left.
  uint32_t running = 0, inside = 0, logged = 0;
  std::array<const Event*, kWarpSize> next, end;
  for (size_t i = 0; i < count; ++i) {
    const LaneState state = worker.lane(base + static_cast<int>(i)).state;
    if (state == LaneState::kReady || state == LaneState::kNew) running |= 1u << i;
    if (state != LaneState::kExited) inside |= 1u << i;
    if (logs[i].size) logged |= 1u << i;
    next[i] = logs[i].events.data();
    end[i] = next[i] + logs[i].size;
    waits_for_log |= logs[i].full;
    logs[i].full = false;
  }
  WarpAddresses addresses;
  while (logged && !(running & ~logged)) {  // what each running lane does next is known
    const int live = std::popcount(inside | logged);
    const Event* leader = next[static_cast<size_t>(std::countr_zero(logged))];
    uint32_t together = 0;
    for (uint32_t rest = logged; rest; rest &= rest - 1) {
      const auto i = static_cast<size_t>(std::countr_zero(rest));
      if (next[i]->joins(*leader)) {
        together |= 1u << i;
      } else if (next[i]->place < leader->place) {
        leader = next[i];
        together = 1u << i;
      }
    }
    for (uint32_t rest = together; rest; rest &= rest - 1) {
      const auto i = static_cast<size_t>(std::countr_zero(rest));
      addresses.address[i] = next[i]->address;
      if (++next[i] == end[i]) logged &= ~(1u << i);
    }
    addresses.active = together;
    addresses.bytes = leader->bytes;
    request(worker, base, *leader, addresses, live);
  }
  for (size_t i = 0; i < count; ++i) {
    logs[i].size = static_cast<size_t>(end[i] - next[i]);
    if (logs[i].size) std::copy(next[i], end[i], logs[i].events.data());
  }
  return waits_for_log;
}

void Trace::request(Worker& worker, int base, const Event& leader, const WarpAddresses& addresses,
                    int live) {
  const Instruction instruction{leader.place << 16 >> 16, leader.access, leader.space,
                                leader.bytes};
  const int lanes = std::popcount(addresses.active);
  Counts& counts = counts_[instruction];
  ++counts.requests;
  counts.active_lanes += static_cast<uint64_t>(lanes);
  counts.divergent += lanes < live;
  if (leader.access == Access::kBlock) return;
  if (settings().requests && worker.block_number == settings().request_block) {
    keep_example(worker, base, instruction, addresses);
  }
  if (leader.space == Space::kGlobal) {
    counts.sectors += static_cast<uint64_t>(sectors(addresses));
  } else {
    const Wavefronts passes = wavefronts(addresses);
    counts.wavefronts += static_cast<uint64_t>(passes.total);
    counts.conflicts += static_cast<uint64_t>(passes.total - passes.needed);
  }
}

void Trace::keep_example(Worker& worker, int base, const Instruction& instruction,
                         const WarpAddresses& addresses) {
  if (++kept_[instruction] > settings().requests) return;
  const Array array =
      array_at(worker, addresses.address[static_cast<size_t>(std::countr_zero(addresses.active))]);
  Example example;
  example.instruction = instruction;
  example.warp = base / kWarpSize;
  example.lanes = addresses.active;
  example.array = array.name;
  example.array_bytes = array.bytes;
  for (size_t i = 0; i < kWarpSize; ++i) {
    if (!(addresses.active >> i & 1)) continue;
    example.offset[i] = static_cast<int64_t>(addresses.address[i] - array.begin);
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
