/// @file
/// The real GPUs whose properties and limits the CPU device can show (CPU_DEVICE_AS).
#pragma once

#include <cstddef>
#include <string>

namespace cpu_device {

/// Sizes in bytes, clocks in kHz.
struct Gpu {
  const char* slug;
  const char* name;
  int major, minor;
  int multiprocessors;
  int clock_khz, memory_clock_khz, memory_bus_bits;
  size_t memory_bytes;
  int l2_bytes, persisting_l2_bytes;
  int shared_per_block, shared_per_block_optin, shared_per_multiprocessor, reserved_shared;
  int registers_per_block, registers_per_multiprocessor;
  int threads_per_multiprocessor, blocks_per_multiprocessor;
  int max_threads_per_block, max_block_dim[3], max_grid_dim[3];
  int ecc, copy_engines, single_to_double;
  // For the occupancy calculation.
  int shared_granularity, register_granularity, warp_granularity;
};

/// Null when there is none of that name.
const Gpu* find_gpu(const std::string& slug);
/// All names, for messages.
std::string gpu_names();

}  // namespace cpu_device
