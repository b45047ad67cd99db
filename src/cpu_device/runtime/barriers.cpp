/// @file
/// Barriers, fences and waiting, as kernels call them.
#include <cuda_runtime.h>

#include <atomic>
#include <cstdio>

#include "checker.h"
#include "errors.h"
#include "scheduler.h"

namespace {

/// `operation`: 0 count, 1 and, 2 or of the predicates.
int barrier(const void* pc, int operation, int predicate) {
  cpu_device::Worker& worker = *cpu_device::Worker::current();
  cpu_device::Lane& lane = worker.lane();
  lane.state = cpu_device::LaneState::kAtBarrier;
  lane.pc = pc;
  lane.operation = operation;
  lane.value = predicate != 0;
  worker.suspend();
  return static_cast<int>(lane.result);
}

}  // namespace

extern "C" {

[[noreturn]] void cpu_device_trap();

void cpu_device_syncthreads() {
  barrier(__builtin_return_address(0), 0, 0);
}
int __syncthreads_count(int predicate) {
  return barrier(__builtin_return_address(0), 0, predicate);
}
int __syncthreads_and(int predicate) {
  return barrier(__builtin_return_address(0), 1, predicate);
}
int __syncthreads_or(int predicate) {
  return barrier(__builtin_return_address(0), 2, predicate);
}

void cpu_device_grid_sync() {
  cpu_device::Worker& worker = *cpu_device::Worker::current();
  if (!worker.launch->cooperative) {
    std::fprintf(stderr,
                 "cpu_device: kernel %s: grid.sync() in a launch that is not cooperative "
                 "(cudaLaunchCooperativeKernel makes one)\n",
                 worker.launch->kernel->name.c_str());
    cpu_device_trap();
  }
  worker.lane().state = cpu_device::LaneState::kAtGrid;
  worker.lane().pc = __builtin_return_address(0);
  worker.suspend();
}

bool cpu_device_grid_is_valid() {
  return cpu_device::Worker::current()->launch->cooperative;
}

void cpu_device_fence() {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  cpu_device::Worker& worker = *cpu_device::Worker::current();
  if (worker.checker) worker.checker->fence(worker);
  cpu_device::Worker::current()->yield();  // somebody may be waiting for what was written
}

void cpu_device_poll() {
  cpu_device::Worker::current()->poll();
}

void cpu_device_hand_over() {
  cpu_device::Worker& worker = *cpu_device::Worker::current();
  if (worker.checker) worker.checker->fence(worker);
}

void cpu_device_nanosleep(unsigned int) {
  cpu_device::Worker::current()->yield();
}

}  // extern "C"
