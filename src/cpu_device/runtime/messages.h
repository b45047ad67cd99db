/// @file
/// Messages by volatile accesses: data, then a flag. On a GPU the flag may be seen without the data
/// unless a fence stands between them. Nothing is torn here, so the checks ask: has this thread
/// seen a later store of the writer, and would a fence have ordered the two?
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "moments.h"

namespace cpu_device {

/// A store or atomic of a thread that has stored volatile data before.
struct Signal {
  uint32_t block, interval, warp_epoch, before;  ///< before: the thread's earlier moments
  uint16_t lane;
  bool follows(uint32_t number, const Moment& moment) const;
};
using Signals = std::vector<Signal>;  // of one variable, in order

/// What a thread, or a block, has seen of such variables lately.
class Seen {
 public:
  void add(const Signals& signals);
  void add(const Seen& other);
  bool later_than(uint32_t number, const Moment& moment) const;
  bool empty() const { return known_.empty(); }
  void clear() { known_.clear(); }

 private:
  static constexpr size_t kMost = 64;
  struct Known {
    const Signals* signals;
    size_t count;
  };
  void add(const Known& more);
  std::vector<Known> known_;
};

/// Of one launch.
struct Messages {
  bool any = false;  ///< some thread has stored volatile data
  std::unordered_map<uintptr_t, Signals> signals;
  void clear() {
    any = false;
    signals.clear();
  }
};

}  // namespace cpu_device
