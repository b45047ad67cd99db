#pragma once

#include <cuda_runtime.h>

namespace chapter02 {

/// One thing to ask a device, with its name in JSON, its title for people and its unit.
struct device_attribute {
  cudaDeviceAttr which;
  const char* name;
  const char* title;
  const char* unit;
};

/// Everything that later chapters use, in the order device_query prints it.
// [attributes]
inline constexpr device_attribute device_attributes[] = {
    {cudaDevAttrComputeCapabilityMajor, "capability_major", "compute capability, major", ""},
    {cudaDevAttrComputeCapabilityMinor, "capability_minor", "compute capability, minor", ""},
    {cudaDevAttrMultiProcessorCount, "sms", "multiprocessors (SMs)", ""},
    {cudaDevAttrWarpSize, "warp_size", "warp size", "threads"},
    // Limits of one launch
    {cudaDevAttrMaxThreadsPerBlock, "max_threads_per_block", "block: threads", "at most"},
    {cudaDevAttrMaxBlockDimX, "max_block_x", "block: x", "at most"},
    {cudaDevAttrMaxBlockDimY, "max_block_y", "block: y", "at most"},
    {cudaDevAttrMaxBlockDimZ, "max_block_z", "block: z", "at most"},
    {cudaDevAttrMaxGridDimX, "max_grid_x", "grid: x", "at most"},
    {cudaDevAttrMaxGridDimY, "max_grid_y", "grid: y", "at most"},
    {cudaDevAttrMaxGridDimZ, "max_grid_z", "grid: z", "at most"},
    // What an SM holds, and what a block may take of it
    {cudaDevAttrMaxThreadsPerMultiProcessor, "max_threads_per_sm", "SM: resident threads",
     "at most"},
    {cudaDevAttrMaxBlocksPerMultiprocessor, "max_blocks_per_sm", "SM: resident blocks", "at most"},
    {cudaDevAttrMaxRegistersPerMultiprocessor, "registers_per_sm", "SM: registers", "of 32 bits"},
    {cudaDevAttrMaxRegistersPerBlock, "registers_per_block", "block: registers", "of 32 bits"},
    {cudaDevAttrMaxSharedMemoryPerMultiprocessor, "shared_per_sm", "SM: shared memory", "bytes"},
    {cudaDevAttrMaxSharedMemoryPerBlock, "shared_per_block", "block: shared memory", "bytes"},
    {cudaDevAttrMaxSharedMemoryPerBlockOptin, "shared_per_block_optin",
     "block: shared memory, when asked for", "bytes"},
    {cudaDevAttrReservedSharedMemoryPerBlock, "shared_reserved_per_block",
     "block: shared memory the system takes", "bytes"},
    // Memory
    {cudaDevAttrTotalConstantMemory, "constant_bytes", "constant memory", "bytes"},
    {cudaDevAttrL2CacheSize, "l2_bytes", "L2 cache", "bytes"},
    {cudaDevAttrMaxPersistingL2CacheSize, "l2_persisting_bytes", "L2 cache that can be set aside",
     "bytes"},
    {cudaDevAttrGlobalMemoryBusWidth, "memory_bus_bits", "memory bus", "bits"},
    {cudaDevAttrMemoryClockRate, "memory_clock_khz", "memory clock, peak", "kHz"},
    {cudaDevAttrClockRate, "sm_clock_khz", "SM clock, peak", "kHz"},
    {cudaDevAttrTextureAlignment, "texture_alignment", "texture alignment", "bytes"},
    {cudaDevAttrEccEnabled, "ecc", "memory corrects errors (ECC)", "0 or 1"},
    // What the device can do
    {cudaDevAttrAsyncEngineCount, "copy_engines", "copy engines beside the SMs", ""},
    {cudaDevAttrConcurrentKernels, "concurrent_kernels", "several kernels at once", "0 or 1"},
    {cudaDevAttrCanMapHostMemory, "maps_host_memory", "can map host memory", "0 or 1"},
    {cudaDevAttrManagedMemory, "managed_memory", "managed memory", "0 or 1"},
    {cudaDevAttrConcurrentManagedAccess, "managed_concurrent", "managed memory, both at once",
     "0 or 1"},
    {cudaDevAttrPageableMemoryAccess, "pageable_access", "reads pageable host memory", "0 or 1"},
    {cudaDevAttrCooperativeLaunch, "cooperative_launch", "cooperative launch", "0 or 1"},
    {cudaDevAttrClusterLaunch, "cluster_launch", "clusters of blocks", "0 or 1"},
    {cudaDevAttrMemoryPoolsSupported, "memory_pools", "memory pools", "0 or 1"},
    {cudaDevAttrKernelExecTimeout, "kernel_time_limit", "time limit on kernels (a display?)",
     "0 or 1"},
    {cudaDevAttrComputeMode, "compute_mode", "compute mode", "0: shared"},
};
// [/attributes]

}  // namespace chapter02
