/// @file
/// Order made by atomics: a thread writes, fences, and changes an atomic variable; whoever changes
/// or polls that variable later knows what was written before the fence. So a ticket orders a
/// last-block reduction, a lock its critical sections, a flag its consumer.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "moments.h"
#include "problems.h"
#include "tile_order.h"

namespace cpu_device {

struct SyncVariable;
/// The variables that a thread has read, each with how much of its log it knows.
using Acquired = std::vector<std::pair<const SyncVariable*, uint32_t>>;

void merge(Acquired& into, const Acquired& more);

/// A thread's last fence: what came before it.
struct Fence {
  bool done = false;
  std::array<uint32_t, 2> before{};  ///< its own moments below these, in global and shared memory
  uint32_t interval = 0, warp_epoch = 0;
  TileOrder tiles;
  Acquired known;
};

using FenceTable = std::vector<std::array<uint32_t, 2>>;  // per lane: Fence::before

/// What one change of an atomic variable hands over.
struct Release {
  uint32_t block = 0;
  uint16_t lane = 0;
  Fence fence;
  std::shared_ptr<const FenceTable> fenced;  ///< fences of those whom it has met
  bool covers(Where where, uint32_t number, const Moment& moment) const;
};

struct SyncVariable {
  std::deque<Release> log;
  std::unordered_map<uint32_t, std::vector<uint32_t>> by_block;  ///< indices into the log
  std::vector<uint32_t> chained;        ///< releases of threads that knew other variables
  mutable bool ordered_blocks = false;  ///< some access to another block's data relied on it
  uint64_t begin = 0;                   ///< its value before the first change
  Party changer;                        ///< who changed it first

  void add(Release&& release);
};

/// Does a thread with this knowledge come after the moment?
bool handed_over_by_any(const Acquired& acquired, Where where, uint32_t number,
                        const Moment& moment);
inline bool handed_over(const Acquired& acquired, Where where, uint32_t number,
                        const Moment& moment) {
  return !acquired.empty() && handed_over_by_any(acquired, where, number, moment);
}

}  // namespace cpu_device
