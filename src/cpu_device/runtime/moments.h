/// @file
/// When an access took place, as far as it matters for order: which operation, block and lane, and
/// how many barriers, warp operations and grid barriers its thread had passed. Accesses keep the
/// number of their moment; a lane begins a new moment whenever it synchronises.
#pragma once

#include <cstdint>
#include <vector>

namespace cpu_device {

/// An asynchronous copy is no part of its thread's order before something has waited for it.
enum class Flight : uint8_t { kNone, kUntilWait, kUntilBarrier };

struct Moment {
  uint32_t operation = 0;   ///< the launch or copy
  uint32_t block = 0;       ///< number in the grid
  uint32_t grid_epoch = 0;  ///< grid barriers passed
  uint32_t interval = 0;    ///< block barriers passed
  uint32_t warp_epoch = 0;  ///< operations of the whole warp passed
  uint16_t lane = 0;        ///< number in the block
  Flight flight = Flight::kNone;
};

/// Numbered moments. Numbers only grow, so "before" is one comparison; forgotten ones are ordered
/// before everything that follows.
class Moments {
 public:
  uint32_t add(const Moment& moment) {
    table_.push_back(moment);
    return next_++;
  }
  size_t size() const { return table_.size(); }
  uint32_t next() const { return next_; }
  bool knows(uint32_t number) const { return number >= floor_; }
  const Moment& operator[](uint32_t number) const { return table_[number - floor_]; }
  Moment& operator[](uint32_t number) { return table_[number - floor_]; }
  void forget() {
    floor_ = next_;
    table_.clear();
  }

 private:
  uint32_t floor_ = 1, next_ = 1;
  std::vector<Moment> table_;
};

}  // namespace cpu_device
