/// @file
/// Barrier objects (cuda::barrier): a count of arrivals and a phase, in 8 bytes wherever the
/// program puts them. Lanes that wait for the end of a phase are parked, not spinning.
#include <cuda_runtime.h>

#include "checker.h"
#include "memory.h"
#include "scheduler.h"

namespace cpu_device {
namespace {

/// What the 8 bytes hold; arrivals still expected count down to 0.
struct alignas(8) State {
  uint32_t phase;
  uint16_t expected, pending;
};
static_assert(sizeof(State) == 8);

State load(const void* object) {
  State state;
  __atomic_load(static_cast<const State*>(object), &state, __ATOMIC_SEQ_CST);
  return state;
}

/// Replaces the state by `next(state)`; returns the new one.
template <class Next>
State change(void* object, Next next) {
  State old = load(object), now;
  do {
    now = next(old);
  } while (!__atomic_compare_exchange(static_cast<State*>(object), &old, &now, true,
                                      __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
  return now;
}

}  // namespace

void Worker::wait_for_phase(const void* object, uint64_t phase, const void* pc) {
  Lane& waiting = lane();
  waiting.state = LaneState::kAtPhase;
  waiting.object = object;
  waiting.value = phase;
  waiting.pc = pc;
  waits_for_phase_ = true;
  suspend();
}

/// Lets lanes go on whose phase has ended.
Worker::Phases Worker::release_phases() {
  Phases result = Phases::kNone;
  for (Lane& each : lanes_) {
    if (each.state != LaneState::kAtPhase) continue;
    if (load(each.object).phase != each.value) {
      each.state = LaneState::kReady;
      result = Phases::kReleased;
    } else if (result != Phases::kReleased && result != Phases::kWaitForOthers) {
      const bool shared_by_blocks = in_arena(reinterpret_cast<uintptr_t>(each.object));
      result = shared_by_blocks ? Phases::kWaitForOthers : Phases::kWaitInBlock;
    }
  }
  waits_for_phase_ = result != Phases::kNone;
  return result;
}

}  // namespace cpu_device

extern "C" {

void cpu_device_barrier_init(void* barrier, unsigned int expected) {
  const auto count = static_cast<uint16_t>(expected);
  cpu_device::change(barrier,
                     [=](cpu_device::State) { return cpu_device::State{0, count, count}; });
}

unsigned int cpu_device_barrier_phase(const void* barrier) {
  return cpu_device::load(barrier).phase;
}

/// Counts arrivals (and takes `dropped` of them out of all later phases). Returns whether the
/// caller was the last: it must end the phase, after the completion function if there is one.
bool cpu_device_barrier_arrive(void* barrier, unsigned int count, unsigned int dropped) {
  cpu_device::Worker& worker = *cpu_device::Worker::current();
  if (worker.checker) worker.checker->arrive(worker, barrier);
  const auto now = cpu_device::change(barrier, [=](cpu_device::State state) {
    state.pending = static_cast<uint16_t>(state.pending - count);
    state.expected = static_cast<uint16_t>(state.expected - dropped);
    return state;
  });
  return now.pending == 0;
}

void cpu_device_barrier_end_phase(void* barrier) {
  cpu_device::change(barrier, [](cpu_device::State state) {
    return cpu_device::State{state.phase + 1, state.expected, state.expected};
  });
}

void cpu_device_barrier_wait(const void* barrier, unsigned int phase) {
  cpu_device::Worker& worker = *cpu_device::Worker::current();
  if (cpu_device::load(barrier).phase == phase) {
    worker.wait_for_phase(barrier, phase, __builtin_return_address(0));
  }
  if (worker.checker) worker.checker->pass(worker, barrier);
}

}  // extern "C"
