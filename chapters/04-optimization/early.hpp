#pragma once

#include <cuda_runtime.h>

#include "coalesce/error.hpp"

namespace chapter04 {

#if defined(__CUDACC__) || defined(__CUDA__)

/// Waits until the launch before this one in the stream has ended and its writes are visible, and lets
/// the next one begin. Before compute capability 9.0 there are no early launches, and nothing to wait for.
// [early]
__device__ inline void wait_for_launch_before() {
#if !defined(__CPU_DEVICE__) && __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
  cudaGridDependencySynchronize();
#endif
}
// [/early]

/// Launches a kernel that may begin before the launch in front of it has ended, and that begins with
/// wait_for_launch_before(). One dimension.
/// \par Stream behaviour
/// Enqueued on `stream`; returns at once. May be captured into a graph.
/// \throws coalesce::cuda_error when the launch is refused
// [launch]
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
// [/launch]

#endif

}  // namespace chapter04
