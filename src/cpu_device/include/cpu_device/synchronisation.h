/// @file
/// Barriers, fences, clocks, traps.
#pragma once
#pragma GCC system_header

extern "C" {
// (two barriers of the source stay two, whatever else the optimiser merges)
__device__ void cpu_device_syncthreads(void) __attribute__((nomerge));
__device__ int __syncthreads_count(int predicate) __attribute__((nomerge));
__device__ int __syncthreads_and(int predicate) __attribute__((nomerge));
__device__ int __syncthreads_or(int predicate) __attribute__((nomerge));
__device__ void cpu_device_grid_sync(void);
__device__ bool cpu_device_grid_is_valid(void);
__device__ void cpu_device_fence(void);
__device__ void cpu_device_nanosleep(unsigned int nanoseconds);
__device__ long long cpu_device_clock(void);
__device__ void cpu_device_trap(void) __attribute__((noreturn));
}

// clang knows some of these names as GPU builtins, hence macros for functions of our own.
#define __syncthreads cpu_device_syncthreads
#define __threadfence cpu_device_fence
#define __threadfence_block cpu_device_fence
#define __threadfence_system cpu_device_fence
#define __nanosleep cpu_device_nanosleep
#define __trap cpu_device_trap

// Programmatic launches: launches never overlap here, so there is nothing to wait for.
#define cudaGridDependencySynchronize() ((void)0)
#define cudaTriggerProgrammaticLaunchCompletion() ((void)0)

/// A counter that never runs backwards, in units of about one CPU cycle (not GPU cycles).
__device__ inline long long clock64() {
  return cpu_device_clock();
}
__device__ inline int clock() {
  return static_cast<int>(cpu_device_clock());
}
/// Nanoseconds by the same clock.
extern "C" __device__ unsigned long long __globaltimer_cpu_device(void);
