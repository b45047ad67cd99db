#include "running_launch.h"

#include <numeric>
#include <random>

#include "settings.h"

namespace cpu_device {

BlockOrder::BlockOrder(uint64_t count) : count(count) {
  if (!settings().seed || count < 2) return;
  std::mt19937_64 random(*settings().seed);
  shift = random() % count;
  do {
    factor = random() % count;
  } while (std::gcd(factor, count) != 1);
}

// ---- the barrier of the grid

uint64_t GridBarrier::arrive(const Visitor& visitor) {
  std::lock_guard lock(mutex_);
  const uint64_t round = round_;
  ++arrived_;
  if (visitor.block < first_waiting_.block) first_waiting_ = visitor;
  look();
  return round;
}

void GridBarrier::leave(uint64_t block) {
  std::lock_guard lock(mutex_);
  ++ended_;
  if (block < first_ended_) first_ended_ = block;
  look();
}

void GridBarrier::look() {
  if (arrived_ + ended_ < blocks_ || arrived_ == 0) return;
  if (ended_ > 0) {
    deadlocked_ = true;
    return;
  }
  arrived_ = 0;
  first_waiting_ = {};
  ++round_;
  changed_.notify_all();
}

void GridBarrier::wait(uint64_t round, const std::atomic<bool>& stopped) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return round_ > round || stopped; });
}

void GridBarrier::wake() {
  std::lock_guard lock(mutex_);
  changed_.notify_all();
}

// ---- blocks

std::optional<uint64_t> Launch::next_block(bool must) {
  const uint64_t blocks = block_count();
  if (begun_.load(std::memory_order_relaxed) >= blocks) return std::nullopt;
  if (!must && resident_.load(std::memory_order_relaxed) >= room) return std::nullopt;
  const uint64_t number = begun_.fetch_add(1);
  if (number >= blocks) return std::nullopt;
  ++resident_;
  return order(number);
}

void Launch::block_ended(uint64_t number) {
  --resident_;
  if (cooperative) barrier.leave(number);
}

void Launch::stop() {
  stopped = true;
  if (cooperative) barrier.wake();
}

}  // namespace cpu_device
