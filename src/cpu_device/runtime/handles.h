/// @file
/// What stands behind the handles of streams and events.
#pragma once

#include <cuda_runtime.h>

#include <chrono>
#include <memory>
#include <vector>

#include "errors.h"
#include "graph.h"
#include "queue.h"

struct CUstream_st {
  cpu_device::Queue* queue = nullptr;
  unsigned int flags = cudaStreamDefault;
  int priority = 0;
  std::shared_ptr<CUgraph_st> capture;  // null: not capturing; several streams may share one
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  bool began_capture = false;
};

namespace cpu_device {

/// When a record of an event was performed.
struct EventTime {
  std::chrono::steady_clock::time_point time;
};

}  // namespace cpu_device

struct CUevent_st {
  bool timing = true;
  cpu_device::TaskPointer record;  // null: never recorded, or recorded in a capture
  std::shared_ptr<cpu_device::EventTime> time;
  std::shared_ptr<CUgraph_st> capture;  // the one in which it was recorded last
};

namespace cpu_device {

void remember(const void* handle);
void forget(const void* handle);
/// Was this handle made, and not destroyed?
bool alive(const void* handle);

template <class T>
T* make() {
  T* handle = new T;
  remember(handle);
  return handle;
}

template <class T>
cudaError_t destroy(T* handle) {
  if (const cudaError_t error = context_error()) return record(error);
  if (!alive(handle)) return record(cudaErrorInvalidResourceHandle);
  forget(handle);
  delete handle;
  return cudaSuccess;
}

bool is_default(cudaStream_t stream);
/// The queue of a valid stream.
Queue& queue_of(cudaStream_t stream);
/// All streams that take part in this capture take part no longer.
void leave_capture(const std::shared_ptr<CUgraph_st>& captured);
/// Counts captures that forbid calls which synchronise.
void count_capture(int change);

}  // namespace cpu_device
