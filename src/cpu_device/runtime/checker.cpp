#include "checker.h"

#include <algorithm>
#include <cstring>

#include "launch_check.h"
#include "operations.h"
#include "problems.h"

extern "C" {
extern thread_local char cpu_device_dynamic_shared[];
}

namespace cpu_device {
namespace {

uint64_t value_before(const AccessEvent& event) {
  uint32_t value = 0;
  std::memcpy(&value, reinterpret_cast<void*>(event.address), std::min<size_t>(event.bytes, 4));
  return value;
}

}  // namespace

// ---- launches and blocks

void Checker::begin(Worker& worker) {
  const Launch& launch = *worker.launch;
  const Kernel& kernel = *launch.kernel;
  std::vector<void*> places(kernel.shared_sizes.size() + 1);
  if (!kernel.shared_sizes.empty()) kernel.shared_places(places.data());
  regions_.clear();
  for (size_t i = 0; i < kernel.shared_sizes.size(); ++i) {
    regions_.push_back(
        {reinterpret_cast<uintptr_t>(places[i]), kernel.shared_sizes[i], kernel.shared_names[i]});
  }
  regions_.push_back({reinterpret_cast<uintptr_t>(cpu_device_dynamic_shared), launch.dynamic_shared,
                      "the dynamic shared array"});
  block_ = nullptr;
}

void Checker::begin_block(Worker& worker) {
  if (!block_) {
    block_ = std::make_unique<BlockCheck>();
    for (const Region& region : regions_) {
      block_->shared.push_back(
          region.bytes ? std::make_unique<Shadow>(region.low, region.bytes, false) : nullptr);
    }
  }
  BlockCheck& block = *block_;
  const auto lanes = static_cast<size_t>(worker.lane_count);
  const size_t warps = (lanes + kWarpSize - 1) / kWarpSize;
  block.number = static_cast<uint32_t>(worker.block_number);
  block.interval = block.grid_epoch = 0;
  block.lanes.resize(lanes);
  for (auto& lane : block.lanes) {
    lane.moment = {};
    if (!lane.fresh()) lane = {};
  }
  block.warp_epoch.assign(warps, 0);
  block.knowledge.clear();
  block.knowledge.resize(warps);
  block.acquired.clear();
  block.seen.clear();
  block.sends = false;
  block.fenced = nullptr;
  block.moments.forget();
  block.sync_variables.clear();
  for (size_t i = 0; i < regions_.size(); ++i) {
    if (!block.shared[i]) continue;
    block.shared[i]->mark_unwritten(regions_[i].low, regions_[i].bytes);
    std::memset(reinterpret_cast<void*>(regions_[i].low), 0xff, regions_[i].bytes);
  }
}

void Checker::end_block(Worker&) {
  settle(nullptr);
}

std::unique_ptr<BlockCheck> Checker::exchange(std::unique_ptr<BlockCheck> block) {
  settle(nullptr);
  block_.swap(block);
  return block;
}

// ---- shared arrays

Shadow* Checker::shared_shadow(uintptr_t address, size_t bytes) {
  for (size_t i = 0; i < regions_.size(); ++i) {
    const Region& region = regions_[i];
    if (address >= region.low && address + bytes <= region.low + region.bytes) {
      return block_->shared[i].get();
    }
  }
  return nullptr;
}

LocalArrays& Checker::locals(Worker& worker) {
  return block_->lanes[static_cast<size_t>(worker.current_lane)].locals;
}

std::string Checker::explain_shared(uintptr_t address) const {
  const Region* before = nullptr;
  for (const Region& region : regions_) {
    if (region.low <= address && (!before || region.low > before->low)) before = &region;
  }
  if (!before) return "outside of every shared array";
  if (!before->bytes) return "in dynamic shared memory, of which the launch asked for none";
  const size_t offset = address - before->low;
  const std::string array =
      before->name + ", which has " + std::to_string(before->bytes) + " bytes";
  if (offset < before->bytes) return "across the end of " + array;
  return std::to_string(offset - before->bytes) + " bytes past the end of " + array;
}

// ---- what synchronises

Moments& Checker::moments(Where where) const {
  return where == kInShared ? block_->moments : launch_check().moments;
}

Moment Checker::present(Worker& worker) const {
  const int lane = worker.current_lane;
  return {launch_check().operation,
          block_->number,
          block_->grid_epoch,
          block_->interval,
          block_->warp_epoch[static_cast<size_t>(lane / kWarpSize)],
          static_cast<uint16_t>(lane)};
}

uint32_t Checker::moment(Worker& worker, Where where) {
  auto& lane = block_->lanes[static_cast<size_t>(worker.current_lane)];
  if (lane.copies.copying) return copy_moment(worker, where);
  uint32_t& number = lane.moment[where];
  if (!number) number = moments(where).add(present(worker));
  return number;
}

void Checker::fence(Worker& worker) {
  BlockCheck& block = *block_;
  auto& lane = block.lanes[static_cast<size_t>(worker.current_lane)];
  lane.moment = {};
  lane.fence.done = lane.fenced = true;
  lane.fence.before = {launch_check().moments.next(), block.moments.next()};
  lane.fence.interval = block.interval;
  lane.fence.warp_epoch = block.warp_epoch[static_cast<size_t>(worker.current_lane / kWarpSize)];
  lane.fence.tiles = lane.tiles;
  lane.fence.known = lane.acquired;
  merge(lane.fence.known, block.acquired);
  launch_check().fences = true;
}

void Checker::barrier(Worker& worker) {
  settle(nullptr);
  check_divergence(worker);
  BlockCheck& block = *block_;
  bool fenced = false;
  for (int i = 0; i < worker.lane_count; ++i) {
    auto& lane = block.lanes[static_cast<size_t>(i)];
    lane.moment = {};
    fenced |= lane.fenced;
    merge(block.acquired, lane.acquired);
    lane.acquired.clear();
    if (!lane.seen.empty()) block.seen.add(lane.seen);
  }
  if (fenced) {
    auto table = std::make_shared<FenceTable>(block.lanes.size());
    for (size_t i = 0; i < block.lanes.size(); ++i) {
      (*table)[i] = block.lanes[i].fence.before;
      block.lanes[i].fenced = false;
      block.lanes[i].fences = nullptr;
    }
    block.fenced = std::move(table);
  }
  ++block.interval;
}

void Checker::warp_operation(Worker& worker, int first, uint32_t group) {
  BlockCheck& block = *block_;
  const int count = std::min(kWarpSize, worker.lane_count - first);
  // Lanes that have left count as met where the mask names them (nothing is named in __activemask).
  const uint32_t mask = worker.lane(first + __builtin_ctz(group)).mask;
  const uint32_t named = mask ? mask : ~uint32_t{0};
  bool whole = true;
  Acquired together;
  for (int i = 0; i < count; ++i) {
    auto& lane = block.lanes[static_cast<size_t>(first + i)];
    if (group >> i & 1) {
      lane.moment = {};
      if (!lane.acquired.empty()) merge(together, lane.acquired);
    } else if (worker.lane(first + i).state != LaneState::kExited || !(named >> i & 1)) {
      whole = false;
    }
  }
  const auto warp = static_cast<size_t>(first / kWarpSize);
  if (!together.empty()) {
    for (int i = 0; i < count; ++i) {
      if (group >> i & 1) merge(block.lanes[static_cast<size_t>(first + i)].acquired, together);
    }
  }
  share_fences(first, first + count, group);
  if (whole) {
    ++block.warp_epoch[warp];
    return;
  }
  if (!block.knowledge[warp]) block.knowledge[warp].reset(new BlockCheck::WarpKnowledge{});
  for (const Where where : {kInGlobal, kInShared}) {
    auto& knows = (*block.knowledge[warp])[where];
    std::array<uint32_t, 32> all{};
    for (size_t i = 0; i < 32; ++i) {
      if (!(group >> i & 1)) continue;
      for (size_t j = 0; j < 32; ++j) all[j] = std::max(all[j], knows[i][j]);
    }
    for (size_t i = 0; i < 32; ++i) {
      if (group >> i & 1) all[i] = moments(where).next();
    }
    for (size_t i = 0; i < 32; ++i) {
      if (group >> i & 1) knows[i] = all;
    }
  }
}

void Checker::grid_barrier() {
  settle(nullptr);
  for (auto& lane : block_->lanes) lane.moment = {};
  ++block_->grid_epoch;
  ++block_->interval;
}

std::unordered_map<uintptr_t, SyncVariable>& Checker::sync_variables(Where where) {
  return where == kInShared ? block_->sync_variables : launch_check().sync_variables;
}

/// Takes over what others have handed over through a variable.
void Checker::acquire(Worker& worker, Where where, uintptr_t address) {
  auto& variables = sync_variables(where);
  const auto known = variables.find(address);
  if (known == variables.end() || known->second.log.empty()) return;
  auto& lane = block_->lanes[static_cast<size_t>(worker.current_lane)];
  merge(lane.acquired, {{&known->second, static_cast<uint32_t>(known->second.log.size())}});
  lane.moment = {};
}

/// Hands over what the running thread, or its block, has fenced.
SyncVariable& Checker::release(Worker& worker, Where where, uintptr_t address) {
  SyncVariable& variable = sync_variables(where)[address];
  const auto& lane = block_->lanes[static_cast<size_t>(worker.current_lane)];
  variable.add({block_->number, static_cast<uint16_t>(worker.current_lane), lane.fence,
                lane.fences ? lane.fences : block_->fenced});
  return variable;
}

/// An atomic, or a volatile access of global memory.
void Checker::synchronise(Worker& worker, const AccessEvent& event) {
  if (event.where == kInGlobal) note_signal(worker, event);
  if (!launch_check().fences) return;  // nothing to hand over
  if (event.access != Access::kStore) acquire(worker, event.where, event.address);
  const auto& lane = block_->lanes[static_cast<size_t>(worker.current_lane)];
  if (event.access == Access::kLoad || (!lane.fence.done && !lane.fences && !block_->fenced)) {
    return;
  }
  SyncVariable& variable = release(worker, event.where, event.address);
  if (!variable.changer.in_kernel) {
    variable.begin = value_before(event);
    variable.changer = this_lane(event.pc);
  }
}

void Checker::arrive(Worker& worker, const void* object) {
  const auto address = reinterpret_cast<uintptr_t>(object);
  fence(worker);
  release(worker, shared_shadow(address, 8) ? kInShared : kInGlobal, address);
}

void Checker::pass(Worker& worker, const void* object) {
  const auto address = reinterpret_cast<uintptr_t>(object);
  acquire(worker, shared_shadow(address, 8) ? kInShared : kInGlobal, address);
  wait_for_copies_of(worker, object);
}

/// Is everything of that moment before what the running lane does now?
bool Checker::after(Worker& worker, Where where, uint32_t number, const Moment& moment) const {
  const BlockCheck& block = *block_;
  if (moment.operation != launch_check().operation) return comes_after(moment.operation);
  const auto me = static_cast<size_t>(worker.current_lane);
  const auto& lane = block.lanes[me];
  if (moment.flight == Flight::kUntilWait) return false;
  if (moment.flight == Flight::kUntilBarrier) {
    // only who has passed the barrier object knows that it is done
  } else if (moment.block == block.number) {
    if (moment.lane == me || moment.interval < block.interval) return true;
    const size_t warp = me / kWarpSize;
    if (moment.lane / kWarpSize == warp) {
      if (moment.warp_epoch < block.warp_epoch[warp]) return true;
      if (block.knowledge[warp] &&
          number < (*block.knowledge[warp])[where][me % 32][moment.lane % 32u]) {
        return true;
      }
    } else if (lane.tiles.covers(where, number, moment.lane, worker.current_lane)) {
      return true;
    }
  } else if (moment.grid_epoch < block.grid_epoch) {
    return true;
  }
  return handed_over(lane.acquired, where, number, moment) ||
         handed_over(block.acquired, where, number, moment);
}

}  // namespace cpu_device
