#pragma once

#include <cstdint>

namespace chapter05 {

/// Scratch memory of the one-launch sums. Zeroed once; each launch leaves it ready for the next.
// [workspace]
struct sum_workspace {
  static constexpr std::int64_t most_blocks = 4096;

  unsigned ticket;                    ///< blocks that are done; 0 between launches
  unsigned long long packed;          ///< a ticket_word or a wide_ticket_word; 0 between launches
  unsigned long long large_sums;      ///< sums too large for those; 0 between launches
  std::int64_t partial[most_blocks];  ///< their sums; what it holds between launches is of no use
};
// [/workspace]

}  // namespace chapter05
