/// @file
/// Streams and what is submitted to them. Work is performed at once, unless the stream is being
/// captured into a graph: then it is kept, and performed whenever the graph is launched.
#pragma once

#include <cuda_runtime.h>

#include <functional>

namespace cpu_device {

/// One kernel launch, copy, fill or host call.
using Operation = std::function<void()>;

/// Performs `operation`, or appends it to the graph that `stream` is captured into.
cudaError_t submit(cudaStream_t stream, Operation operation);

bool is_capturing(cudaStream_t stream);
/// A synchronising call in a program that captures: not permitted in global mode.
bool anything_capturing();
bool valid_stream(cudaStream_t stream);

}  // namespace cpu_device
