/// @file
/// Streams and what is submitted to them. Work waits in the stream's queue, or, while the stream is
/// being captured, goes into the graph, to be submitted whenever the graph is launched.
#pragma once

#include <cuda_runtime.h>

#include "queue.h"

namespace cpu_device {

/// Hands `operation` to the stream, or appends it to the graph that the stream is captured into.
cudaError_t submit(cudaStream_t stream, Operation operation);

/// Whether captures of this and other streams let a valid stream be given work.
cudaError_t may_submit(cudaStream_t stream);

/// The same for a function of the host.
cudaError_t submit_call(cudaStream_t stream, std::function<void()> function);

bool is_capturing(cudaStream_t stream);
bool valid_stream(cudaStream_t stream);

/// Performs what a wait for this stream, or for the whole device, waits for; shows the kernels'
/// output and makes a kernel's failure permanent.
cudaError_t synchronise_stream(cudaStream_t stream);
cudaError_t synchronise_device();

}  // namespace cpu_device
