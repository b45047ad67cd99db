#pragma once

#include <cuda_runtime.h>

#include "coalesce/error.hpp"

namespace chapter05 {

/// Waits until the launch before this one in the stream has ended and its writes are visible.
/// Nothing to wait for where early launches do not exist: before compute capability 9.0.
__device__ inline void wait_for_launch_before() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900 && !defined(__CPU_DEVICE__)
  cudaGridDependencySynchronize();
#endif
}

/// Lets the next launch of the stream start, if it was made by launch_early().
__device__ inline void allow_next_launch() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900 && !defined(__CPU_DEVICE__)
  cudaTriggerProgrammaticLaunchCompletion();
#endif
}

/// Launches a kernel that may start before the launch in front of it has ended, and that begins with
/// wait_for_launch_before(). One dimension, no dynamic shared memory.
/// \par Stream behaviour
/// Enqueued on `stream`; returns at once. May be captured into a graph.
/// \throws coalesce::cuda_error when the launch is refused
// [launch_early]
template <class... Parameters, class... Arguments>
void launch_early(void (*kernel)(Parameters...), std::int64_t blocks, int block_threads,
                  cudaStream_t stream, Arguments... arguments) {
  cudaLaunchAttribute early{};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(blocks));
  config.blockDim = dim3(static_cast<unsigned>(block_threads));
  config.stream = stream;
  config.attrs = &early;
  config.numAttrs = 1;
  COALESCE_CHECK(cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(arguments)...));
}
// [/launch_early]

}  // namespace chapter05
