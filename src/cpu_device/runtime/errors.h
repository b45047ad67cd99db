/// @file
/// The error state, as sticky as CUDA's: most errors are reported once and cleared by
/// cudaGetLastError; an error that happened *in* a kernel stays and fails every later call. (Only
/// cudaGetLastError, asked twice in a row, answers cudaSuccess, as on an H200.)
#pragma once

#include <cuda_runtime.h>

namespace cpu_device {

/// Keeps `error` for cudaGetLastError of this host thread and returns it.
cudaError_t record(cudaError_t error);

/// The context's permanent error, or cudaSuccess. Most API functions begin with it.
cudaError_t context_error();

/// A kernel failed. The host learns it at its next synchronising call.
void fail_in_kernel(cudaError_t error);
bool kernel_failed();

/// What every synchronising call does: shows the kernels' printf output, and makes a kernel's
/// failure permanent.
cudaError_t synchronise();

/// cudaDeviceReset's part.
void clear_errors();

}  // namespace cpu_device
