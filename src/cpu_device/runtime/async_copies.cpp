#include "async_copies.h"

#include <algorithm>

#include "checker.h"
#include "launch_check.h"

namespace cpu_device {

/// The moment of the running lane's present copy.
uint32_t Checker::copy_moment(Worker& worker, Where where) {
  AsyncCopies& copies = block_->lanes[static_cast<size_t>(worker.current_lane)].copies;
  const uint32_t batch = copies.barrier ? 0 : copies.batch;
  for (const auto& part : copies.flying) {
    if (part.where == where && part.batch == batch && part.barrier == copies.barrier) {
      return part.number;
    }
  }
  Moment moment{launch_check().operation};
  moment.block = block_->number;
  moment.lane = static_cast<uint16_t>(worker.current_lane);
  moment.flight = copies.barrier ? Flight::kUntilBarrier : Flight::kUntilWait;
  const uint32_t number = moments(where).add(moment);
  copies.flying.push_back({where, number, batch, copies.barrier});
  return number;
}

void Checker::begin_copy(Worker& worker, const void* barrier) {
  AsyncCopies& copies = block_->lanes[static_cast<size_t>(worker.current_lane)].copies;
  copies.copying = true;
  copies.barrier = barrier;
}

void Checker::end_copy(Worker& worker) {
  block_->lanes[static_cast<size_t>(worker.current_lane)].copies.copying = false;
}

void Checker::commit_copies(Worker& worker) {
  ++block_->lanes[static_cast<size_t>(worker.current_lane)].copies.batch;
}

void Checker::wait_for_copies(Worker& worker, uint32_t prior) {
  const uint32_t batch = block_->lanes[static_cast<size_t>(worker.current_lane)].copies.batch;
  finish_copies(worker, [=](const AsyncCopies::Part& part) {
    return !part.barrier && part.batch + prior < batch;
  });
}

void Checker::wait_for_copies_of(Worker& worker, const void* barrier) {
  finish_copies(worker, [=](const AsyncCopies::Part& part) { return part.barrier == barrier; });
}

/// From now on they are accesses that the running lane has just made.
template <class Which>
void Checker::finish_copies(Worker& worker, Which which) {
  const int index = worker.current_lane;
  auto& lane = block_->lanes[static_cast<size_t>(index)];
  const auto finished = [&](const AsyncCopies::Part& part) {
    if (!which(part)) return false;
    Moments& all = moments(part.where);
    if (all.knows(part.number)) all[part.number] = present(worker);
    return true;
  };
  if (std::erase_if(lane.copies.flying, finished)) lane.moment = {};
}

}  // namespace cpu_device

namespace {

template <class Action>
void tell_checker(Action action) {
  cpu_device::Worker& worker = *cpu_device::Worker::current();
  if (worker.checker) action(*worker.checker, worker);
}

}  // namespace

extern "C" {

void cpu_device_async_begin(const void* barrier) {
  tell_checker([=](auto& checker, auto& worker) { checker.begin_copy(worker, barrier); });
}
void cpu_device_async_end() {
  tell_checker([](auto& checker, auto& worker) { checker.end_copy(worker); });
}
void cpu_device_async_commit() {
  tell_checker([](auto& checker, auto& worker) { checker.commit_copies(worker); });
}
void cpu_device_async_wait(unsigned int prior) {
  tell_checker([=](auto& checker, auto& worker) { checker.wait_for_copies(worker, prior); });
}

}  // extern "C"
