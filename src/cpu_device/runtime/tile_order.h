/// @file
/// The order that tiles of several warps make among their threads.
#pragma once

#include <array>
#include <cstdint>

#include "moments.h"

namespace cpu_device {

enum Where { kInGlobal = 0, kInShared = 1 };

/// What a thread knows of its tiles of 64, 128, ... 1024 threads: everything that their threads did
/// in moments below a number. (Numbers only grow: those of an earlier block order nothing.)
class TileOrder {
 public:
  void meet(int size, const std::array<uint32_t, 2>& next) {
    for (size_t k = 0; k < below_.size(); ++k) {
      if (kSmallest << k == size) below_[k] = next;
    }
  }
  bool covers(Where where, uint32_t number, int other_lane, int lane) const {
    for (size_t k = 0; k < below_.size(); ++k) {
      if (number < below_[k][where] && other_lane / (kSmallest << k) == lane / (kSmallest << k)) {
        return true;
      }
    }
    return false;
  }

 private:
  static constexpr int kSmallest = 64;
  std::array<std::array<uint32_t, 2>, 5> below_{};
};

}  // namespace cpu_device
