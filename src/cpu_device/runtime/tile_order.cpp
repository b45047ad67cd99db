/// @file
/// What --check makes of threads that meet in a group smaller than the block.
#include <algorithm>

#include "checker.h"
#include "launch_check.h"

namespace cpu_device {

/// All threads of a tile of several warps have met.
void Checker::tile_operation(Worker& worker, int first, int size) {
  settle(nullptr);
  BlockCheck& block = *block_;
  const int last = std::min(first + size, worker.lane_count);
  const std::array<uint32_t, 2> next = {launch_check().moments.next(), block.moments.next()};
  Acquired together;
  for (int i = first; i < last; ++i) {
    auto& lane = block.lanes[static_cast<size_t>(i)];
    lane.moment = {};
    lane.tiles.meet(size, next);
    merge(together, lane.acquired);
  }
  if (!together.empty()) {
    for (int i = first; i < last; ++i) block.lanes[static_cast<size_t>(i)].acquired = together;
  }
  for (int i = first; i < last; i += kWarpSize) {
    ++block.warp_epoch[static_cast<size_t>(i / kWarpSize)];
  }
  share_fences(first, last, ~0u);
}

/// Threads have met: what each of them wrote before its fence, any of them may hand over.
/// @param group  in each warp of [first, last), the lanes that have met.
void Checker::share_fences(int first, int last, uint32_t group) {
  if (!launch_check().fences) return;
  BlockCheck& block = *block_;
  const auto each = [&](auto&& action) {
    for (int i = first; i < last; ++i) {
      const auto index = static_cast<size_t>(i);
      if (group >> i % kWarpSize & 1) action(block.lanes[index], index);
    }
  };
  const FenceTable* known = block.lanes[static_cast<size_t>(first)].fences.get();
  bool news = false;
  each([&](const auto& lane, size_t i) {
    news |= lane.fences.get() != known;
    news |= lane.fenced && (!lane.fences || (*lane.fences)[i] != lane.fence.before);
  });
  if (!news) return;
  const auto table = block.fenced ? std::make_shared<FenceTable>(*block.fenced)
                                  : std::make_shared<FenceTable>(block.lanes.size());
  const FenceTable* taken = nullptr;
  each([&](const auto& lane, size_t) {
    if (!lane.fences || lane.fences.get() == taken) return;
    taken = lane.fences.get();
    for (size_t i = 0; i < table->size(); ++i) {
      for (const Where where : {kInGlobal, kInShared}) {
        (*table)[i][where] = std::max((*table)[i][where], (*taken)[i][where]);
      }
    }
  });
  each([&](const auto& lane, size_t i) {
    if (lane.fenced) (*table)[i] = lane.fence.before;
  });
  each([&](auto& lane, size_t) { lane.fences = table; });
}

}  // namespace cpu_device
