/// @file
/// The C interface of asynchronous copies to shared memory.
#pragma once
#pragma GCC system_header
#include <cuda_runtime.h>

#if defined(__CUDACC__)
#include <cpu_device/copies.h>

/// Copies `bytes` (4, 8 or 16) bytes, the last `zero` of which become 0 instead.
__device__ inline __attribute__((always_inline)) void __pipeline_memcpy_async(void* shared,
                                                                              const void* global,
                                                                              size_t bytes,
                                                                              size_t zero = 0) {
  if (zero == 0) {
    cpu_device_copy_async(shared, global, bytes, 0, 1);
    return;
  }
  cpu_device_async_begin(nullptr);
  for (size_t i = 0; i < bytes; ++i) {
    static_cast<char*>(shared)[i] = i < bytes - zero ? static_cast<const char*>(global)[i] : 0;
  }
  cpu_device_async_end();
}
__device__ inline void __pipeline_commit() {
  cpu_device_async_commit();
}
__device__ inline void __pipeline_wait_prior(size_t prior) {
  cpu_device_async_wait(static_cast<unsigned int>(prior));
}
#endif
