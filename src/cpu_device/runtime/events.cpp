/// @file
/// Events: tasks that note when they are performed, and that other streams can wait for.
#include <cuda_runtime.h>

#include "errors.h"
#include "handles.h"
#include "streams.h"

using cpu_device::record;

namespace {

/// Whether captures let the host wait for this event, or ask whether it came.
cudaError_t may_ask(cudaEvent_t event) {
  if (!event->captured) return cpu_device::refuse_unsafe_call();
  if (event->captured.ended()) return cudaErrorInvalidValue;
  return cpu_device::invalidate(event->captured, cudaErrorCapturedEvent);
}

}  // namespace

extern "C" {

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
  if (const cudaError_t error = cpu_device::context_error()) return record(error);
  if (!event || flags > 7) return record(cudaErrorInvalidValue);
  *event = cpu_device::make<CUevent_st>();
  (*event)->timing = !(flags & cudaEventDisableTiming);
  return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags) {
  return flags ? record(cudaErrorInvalidValue) : cudaEventRecord(event, stream);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  if (const cudaError_t error = cpu_device::context_error()) return record(error);
  if (!cpu_device::alive(event) || !cpu_device::valid_stream(stream)) {
    return record(cudaErrorInvalidResourceHandle);
  }
  if (const cudaError_t error = cpu_device::may_submit(stream)) return record(error);
  event->record = nullptr;
  event->captured = {};
  if (cpu_device::is_capturing(stream)) {
    event->captured = stream->captured;
    return cudaSuccess;
  }
  event->time = std::make_shared<cpu_device::EventTime>();
  cpu_device::Operation note(
      [time = event->time] { time->time = std::chrono::steady_clock::now(); });
  note.must_run = true;
  event->record = cpu_device::enqueue(cpu_device::queue_of(stream), std::move(note));
  return cudaSuccess;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int) {
  if (const cudaError_t error = cpu_device::context_error()) return record(error);
  if (!cpu_device::valid_stream(stream) || !cpu_device::alive(event)) {
    return record(cudaErrorInvalidResourceHandle);
  }
  if (event->captured) {
    if (cpu_device::is_default(stream)) return record(cudaErrorStreamCaptureImplicit);
    return record(cpu_device::join_capture(stream, event->captured));
  }
  if (cpu_device::is_capturing(stream)) {
    return record(cpu_device::invalidate(stream->captured, cudaErrorStreamCaptureIsolation));
  }
  cpu_device::queue_of(stream).wait_for(event->record);
  return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  if (!cpu_device::alive(event)) return record(cudaErrorInvalidResourceHandle);
  if (const cudaError_t error = may_ask(event)) return record(error);
  if (event->record) cpu_device::perform_task(*event->record);
  return cpu_device::synchronise();
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  if (!cpu_device::alive(event)) return record(cudaErrorInvalidResourceHandle);
  if (const cudaError_t error = may_ask(event)) return record(error);
  if (event->record && !event->record->done) {
    cpu_device::ask_for_one(*event->record->queue);
    return cudaErrorNotReady;
  }
  return cpu_device::synchronise();
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  if (const cudaError_t error = cpu_device::context_error()) return record(error);
  if (!milliseconds) return record(cudaErrorInvalidValue);
  if (!cpu_device::alive(start) || !cpu_device::alive(end) || !start->timing || !end->timing) {
    return record(cudaErrorInvalidResourceHandle);
  }
  if (start->captured || end->captured) return record(cudaErrorCapturedEvent);
  if (!start->record || !end->record) return record(cudaErrorInvalidResourceHandle);
  if (!start->record->done || !end->record->done) return record(cudaErrorNotReady);
  *milliseconds =
      std::chrono::duration<float, std::milli>(end->time->time - start->time->time).count();
  return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return cpu_device::destroy(event);
}

}  // extern "C"
