#include "streams.h"

#include <chrono>
#include <memory>
#include <mutex>
#include <unordered_set>
#include <vector>

#include "errors.h"

struct CUgraph_st {
  std::vector<cpu_device::Operation> operations;
};
struct CUgraphExec_st {
  std::vector<cpu_device::Operation> operations;
};
struct CUstream_st {
  std::unique_ptr<CUgraph_st> capture;  // null: not capturing
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
};
struct CUevent_st {
  bool timing = true;
  bool recorded = false;
  bool captured = false;  // recorded in a capture last: no time to ask for
  CUstream_st* origin = nullptr;
  std::chrono::steady_clock::time_point time;
};

namespace cpu_device {
namespace {

struct Handles {
  std::mutex mutex;
  std::unordered_set<const void*> alive;
  int capturing = 0;  // streams in global or thread-local capture
};

Handles& handles() {
  static Handles once;
  return once;
}

template <class T>
T* make() {
  T* handle = new T;
  std::lock_guard lock(handles().mutex);
  handles().alive.insert(handle);
  return handle;
}

bool alive(const void* handle) {
  std::lock_guard lock(handles().mutex);
  return handles().alive.count(handle) != 0;
}

template <class T>
cudaError_t destroy(T* handle) {
  if (const cudaError_t error = context_error()) return record(error);
  if (!alive(handle)) return record(cudaErrorInvalidResourceHandle);
  {
    std::lock_guard lock(handles().mutex);
    handles().alive.erase(handle);
  }
  delete handle;
  return cudaSuccess;
}

bool is_default(cudaStream_t stream) {
  return !stream || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
}

}  // namespace

bool valid_stream(cudaStream_t stream) {
  return is_default(stream) || alive(stream);
}

bool is_capturing(cudaStream_t stream) {
  return !is_default(stream) && stream->capture;
}

bool anything_capturing() {
  return handles().capturing > 0;
}

cudaError_t submit(cudaStream_t stream, Operation operation) {
  if (!valid_stream(stream)) return cudaErrorInvalidResourceHandle;
  if (is_capturing(stream)) {
    stream->capture->operations.push_back(std::move(operation));
    return cudaSuccess;
  }
  if (is_default(stream) && anything_capturing()) return cudaErrorStreamCaptureImplicit;
  operation();
  return cudaSuccess;
}

}  // namespace cpu_device

using cpu_device::record;

extern "C" {

// ---- streams

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags) {
  if (const cudaError_t error = cpu_device::context_error()) return record(error);
  if (!stream || flags > cudaStreamNonBlocking) return record(cudaErrorInvalidValue);
  *stream = cpu_device::make<CUstream_st>();
  return cudaSuccess;
}

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int) {
  return cudaStreamCreateWithFlags(stream, flags);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  if (least) *least = 0;
  if (greatest) *greatest = -5;
  return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return cpu_device::destroy(stream);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  if (!cpu_device::valid_stream(stream)) return record(cudaErrorInvalidResourceHandle);
  if (cpu_device::is_capturing(stream)) return record(cudaErrorStreamCaptureUnsupported);
  return cpu_device::synchronise();
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return cudaStreamSynchronize(stream);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int) {
  if (const cudaError_t error = cpu_device::context_error()) return record(error);
  if (!cpu_device::valid_stream(stream) || !cpu_device::alive(event)) {
    return record(cudaErrorInvalidResourceHandle);
  }
  return cudaSuccess;  // everything before it has been performed
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  if (const cudaError_t error = cpu_device::context_error()) return record(error);
  if (!function) return record(cudaErrorInvalidValue);
  return record(cpu_device::submit(stream, [=] { function(data); }));
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data,
                                  unsigned int flags) {
  if (const cudaError_t error = cpu_device::context_error()) return record(error);
  if (!callback || flags) return record(cudaErrorInvalidValue);
  return record(cpu_device::submit(stream, [=] { callback(stream, cudaSuccess, data); }));
}

// ---- events

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

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  if (const cudaError_t error = cpu_device::context_error()) return record(error);
  if (!cpu_device::alive(event) || !cpu_device::valid_stream(stream)) {
    return record(cudaErrorInvalidResourceHandle);
  }
  event->captured = cpu_device::is_capturing(stream);
  event->recorded = true;
  event->time = std::chrono::steady_clock::now();
  return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  if (!cpu_device::alive(event)) return record(cudaErrorInvalidResourceHandle);
  if (event->captured) return record(cudaErrorCapturedEvent);
  return cpu_device::synchronise();
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  return cudaEventSynchronize(event);
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  if (const cudaError_t error = cpu_device::context_error()) return record(error);
  if (!milliseconds) return record(cudaErrorInvalidValue);
  if (!cpu_device::alive(start) || !cpu_device::alive(end) || !start->timing || !end->timing ||
      !start->recorded || !end->recorded) {
    return record(cudaErrorInvalidResourceHandle);
  }
  if (start->captured || end->captured) return record(cudaErrorCapturedEvent);
  *milliseconds = std::chrono::duration<float, std::milli>(end->time - start->time).count();
  return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return cpu_device::destroy(event);
}

// ---- graphs by stream capture

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  if (const cudaError_t error = cpu_device::context_error()) return record(error);
  if (cpu_device::is_default(stream)) return record(cudaErrorStreamCaptureUnsupported);
  if (!cpu_device::alive(stream)) return record(cudaErrorInvalidResourceHandle);
  if (stream->capture) return record(cudaErrorIllegalState);
  stream->capture = std::make_unique<CUgraph_st>();
  stream->mode = mode;
  cpu_device::handles().capturing += mode != cudaStreamCaptureModeRelaxed;
  return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  if (const cudaError_t error = cpu_device::context_error()) return record(error);
  if (!graph) return record(cudaErrorInvalidValue);
  if (!cpu_device::is_capturing(stream)) return record(cudaErrorIllegalState);
  *graph = cpu_device::make<CUgraph_st>();
  (*graph)->operations = std::move(stream->capture->operations);
  stream->capture.reset();
  cpu_device::handles().capturing -= stream->mode != cudaStreamCaptureModeRelaxed;
  return cudaSuccess;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  if (!status) return record(cudaErrorInvalidValue);
  if (!cpu_device::valid_stream(stream)) return record(cudaErrorInvalidResourceHandle);
  *status = cpu_device::is_capturing(stream) ? cudaStreamCaptureStatusActive
                                             : cudaStreamCaptureStatusNone;
  return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long) {
  if (const cudaError_t error = cpu_device::context_error()) return record(error);
  if (!exec || !cpu_device::alive(graph)) return record(cudaErrorInvalidValue);
  *exec = cpu_device::make<CUgraphExec_st>();
  (*exec)->operations = graph->operations;
  return cudaSuccess;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
  if (const cudaError_t error = cpu_device::context_error()) return record(error);
  if (!cpu_device::alive(exec)) return record(cudaErrorInvalidValue);
  for (const cpu_device::Operation& operation : exec->operations) {
    if (const cudaError_t error = cpu_device::submit(stream, operation)) return record(error);
  }
  return cudaSuccess;
}

cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream) {
  const bool good = cpu_device::alive(exec) && cpu_device::valid_stream(stream);
  return record(good ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  if (!cpu_device::alive(graph) || !count || nodes) return record(cudaErrorInvalidValue);
  *count = graph->operations.size();
  return cudaSuccess;
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  return cpu_device::destroy(exec);
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return cpu_device::destroy(graph);
}

}  // extern "C"
