#pragma once

#include <cuda_runtime.h>

#include "coalesce/error.hpp"

/// \addtogroup launch
/// @{

namespace coalesce {

#if defined(__CUDACC__) || defined(__CUDA__)

/// Waits until the launch before this one in the stream has ended and its writes are visible. To be called
/// before the first access to memory by every kernel that launch_early() launches.
/// Nothing to wait for where early launches do not exist: before compute capability 9.0, and on the CPU device.
// [wait]
__device__ inline void wait_for_launch_before() {
#if !defined(__CPU_DEVICE__) && __CUDA_ARCH__ >= 900
  cudaGridDependencySynchronize();
#endif
}
// [/wait]

/// Lets the next launch of the stream begin, if it was made by launch_early(), when all blocks have called
/// this or ended.
// [allow]
__device__ inline void allow_next_launch() {
#if !defined(__CPU_DEVICE__) && __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
#endif
}
// [/allow]

/// Launches a kernel that may begin before the launch in front of it has ended.
/// \param kernel  calls wait_for_launch_before() before it touches memory; has no dynamic shared memory
/// \param grid    blocks along x; with none, nothing is launched
/// \param threads of a block
/// \param stream  where it is enqueued
/// \param arguments of the kernel
/// \par Stream behaviour
/// Enqueued on `stream`; returns at once. May be captured into a graph.
/// \throws cuda_error when the launch is refused
/// \par Source
/// "Programmatic Dependent Launch and Synchronization" in the CUDA C++ Programming Guide.
// [launch_early]
template <class... Parameters, class... Arguments>
void launch_early(void (*kernel)(Parameters...), dim3 grid, int threads, cudaStream_t stream,
                  Arguments... arguments) {
  if (grid.x == 0) return;
  cudaLaunchAttribute early{};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = grid;
  config.blockDim = dim3(static_cast<unsigned>(threads));
  config.stream = stream;
  config.attrs = &early;
  config.numAttrs = 1;
  COALESCE_CHECK(cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(arguments)...));
}
// [/launch_early]

#endif

}  // namespace coalesce

/// @}
