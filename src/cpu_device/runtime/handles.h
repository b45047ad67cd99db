/// @file
/// What stands behind the handles of streams and events.
#pragma once

#include <cuda_runtime.h>

#include <chrono>
#include <functional>
#include <memory>

#include "capture.h"
#include "errors.h"
#include "queue.h"

struct CUstream_st {
  cpu_device::Queue* queue = nullptr;
  unsigned int flags = cudaStreamDefault;
  int priority = 0;
  cpu_device::Captured captured;
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
  cpu_device::Captured captured;  // where in a capture it was recorded last
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
cudaError_t destroy(T* handle, cudaError_t unknown = cudaErrorInvalidResourceHandle) {
  if (const cudaError_t error = context_error()) return record(error);
  if (!alive(handle)) return record(unknown);
  forget(handle);
  delete handle;
  return cudaSuccess;
}

bool is_default(cudaStream_t stream);
/// The queue of a valid stream.
Queue& queue_of(cudaStream_t stream);
/// Calls `visit` with each stream that was created, and not destroyed.
void for_each_stream(const std::function<void(cudaStream_t)>& visit);

}  // namespace cpu_device
