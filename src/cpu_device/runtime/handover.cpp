#include "handover.h"

#include <algorithm>
#include <set>

namespace cpu_device {

void merge(Acquired& into, const Acquired& more) {
  for (const auto& [variable, count] : more) {
    const auto known = std::find_if(into.begin(), into.end(),
                                    [&](const auto& each) { return each.first == variable; });
    if (known == into.end()) {
      into.emplace_back(variable, count);
    } else {
      known->second = std::max(known->second, count);
    }
  }
}

bool Release::covers(Where where, uint32_t number, const Moment& moment) const {
  if (moment.block != block) return false;
  if (fence.done) {
    if (moment.lane == lane && number < fence.before[where]) return true;
    if (moment.interval < fence.interval) return true;
    if (moment.interval == fence.interval && moment.lane / 32 == lane / 32 &&
        moment.warp_epoch < fence.warp_epoch) {
      return true;
    }
    if (fence.tiles.covers(where, number, moment.lane, lane)) return true;
  }
  return fenced && number < (*fenced)[moment.lane][where];
}

void SyncVariable::add(Release&& release) {
  const auto index = static_cast<uint32_t>(log.size());
  // What was known of this very variable is handed on by the order of its log.
  std::erase_if(release.fence.known, [&](const auto& each) { return each.first == this; });
  auto& mine = by_block[release.block];
  if (!mine.empty()) {
    const Release& last = log[mine.back()];
    if (last.lane == release.lane && last.fence.before == release.fence.before &&
        last.fenced == release.fenced) {
      return;  // nothing new
    }
  }
  mine.push_back(index);
  if (!release.fence.known.empty()) chained.push_back(index);
  log.push_back(std::move(release));
}

namespace {

bool search(const Acquired& acquired, Where where, uint32_t number, const Moment& moment,
            std::set<std::pair<const SyncVariable*, uint32_t>>& seen) {
  for (const auto& [variable, count] : acquired) {
    if (!seen.emplace(variable, count).second || seen.size() > 1000) continue;
    const auto mine = variable->by_block.find(moment.block);
    if (mine != variable->by_block.end()) {
      for (const uint32_t index : mine->second) {
        if (index >= count) break;
        if (variable->log[index].covers(where, number, moment)) {
          variable->ordered_blocks = true;
          return true;
        }
      }
    }
    for (const uint32_t index : variable->chained) {
      if (index >= count) break;
      if (search(variable->log[index].fence.known, where, number, moment, seen)) return true;
    }
  }
  return false;
}

}  // namespace

bool handed_over_by_any(const Acquired& acquired, Where where, uint32_t number,
                        const Moment& moment) {
  std::set<std::pair<const SyncVariable*, uint32_t>> seen;
  return search(acquired, where, number, moment, seen);
}

}  // namespace cpu_device
