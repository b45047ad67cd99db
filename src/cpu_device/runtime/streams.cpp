#include "streams.h"

#include <algorithm>
#include <mutex>
#include <unordered_set>

#include "errors.h"
#include "handles.h"

namespace cpu_device {
namespace {

struct Handles {
  std::mutex mutex;
  std::unordered_set<const void*> alive;
  std::unordered_set<CUstream_st*> streams;
};

Handles& handles() {
  static Handles& once = *new Handles;
  return once;
}

}  // namespace

void remember(const void* handle) {
  std::lock_guard lock(handles().mutex);
  handles().alive.insert(handle);
}

void forget(const void* handle) {
  std::lock_guard lock(handles().mutex);
  handles().alive.erase(handle);
}

bool alive(const void* handle) {
  std::lock_guard lock(handles().mutex);
  return handles().alive.count(handle) != 0;
}

void for_each_stream(const std::function<void(cudaStream_t)>& visit) {
  std::lock_guard lock(handles().mutex);
  for (CUstream_st* stream : handles().streams) visit(stream);
}

bool is_default(cudaStream_t stream) {
  return !stream || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
}

Queue& queue_of(cudaStream_t stream) {
  if (stream == cudaStreamPerThread) {
    static thread_local Queue& own = make_queue(true);
    return own;
  }
  return is_default(stream) ? default_queue() : *stream->queue;
}

bool valid_stream(cudaStream_t stream) {
  return is_default(stream) || alive(stream);
}

bool is_capturing(cudaStream_t stream) {
  return !is_default(stream) && stream->captured;
}

cudaError_t may_submit(cudaStream_t stream) {
  if (stream == cudaStreamPerThread) return cudaSuccess;
  if (is_default(stream)) return refuse_legacy_stream();
  return stream->captured.invalid() ? cudaErrorStreamCaptureInvalidated : cudaSuccess;
}

cudaError_t submit(cudaStream_t stream, Operation operation) {
  if (!valid_stream(stream)) return cudaErrorInvalidResourceHandle;
  if (const cudaError_t error = may_submit(stream)) return error;
  if (is_capturing(stream)) {
    capture(stream->captured, std::move(operation));
  } else {
    enqueue(queue_of(stream), std::move(operation));
  }
  return cudaSuccess;
}

cudaError_t submit_call(cudaStream_t stream, std::function<void()> function) {
  Operation operation(std::move(function));
  operation.type = cudaGraphNodeTypeHost;
  return submit(stream, std::move(operation));
}

cudaError_t synchronise_stream(cudaStream_t stream) {
  perform_queue(queue_of(stream));
  return synchronise();
}

cudaError_t synchronise_device() {
  perform_everything();
  return synchronise();
}

}  // namespace cpu_device

using cpu_device::record;

namespace {
constexpr int kLeastPriority = 0, kGreatestPriority = -5;

/// Whether captures let the host wait for this stream, or ask how far it is.
cudaError_t may_ask(cudaStream_t stream) {
  if (!cpu_device::is_capturing(stream)) return cpu_device::refuse_unsafe_call();
  return cpu_device::invalidate(stream->captured, cudaErrorStreamCaptureUnsupported);
}
}  // namespace

extern "C" {

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags) {
  if (const cudaError_t error = cpu_device::context_error()) return record(error);
  if (!stream || flags > cudaStreamNonBlocking) return record(cudaErrorInvalidValue);
  *stream = cpu_device::make<CUstream_st>();
  (*stream)->queue = &cpu_device::make_queue(flags == cudaStreamDefault);
  (*stream)->flags = flags;
  std::lock_guard lock(cpu_device::handles().mutex);
  cpu_device::handles().streams.insert(*stream);
  return cudaSuccess;
}

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  if (least) *least = kLeastPriority;
  if (greatest) *greatest = kGreatestPriority;
  return cudaSuccess;
}

/// A priority beyond the range becomes the nearest one, as CUDA says. It has no effect here.
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority) {
  const cudaError_t error = cudaStreamCreateWithFlags(stream, flags);
  if (!error) (*stream)->priority = std::clamp(priority, kGreatestPriority, kLeastPriority);
  return error;
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  if (!cpu_device::valid_stream(stream)) return record(cudaErrorInvalidResourceHandle);
  if (!priority) return record(cudaErrorInvalidValue);
  *priority = cpu_device::is_default(stream) ? kLeastPriority : stream->priority;
  return cudaSuccess;
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags) {
  if (!cpu_device::valid_stream(stream)) return record(cudaErrorInvalidResourceHandle);
  if (!flags) return record(cudaErrorInvalidValue);
  *flags = cpu_device::is_default(stream) ? cudaStreamDefault : stream->flags;
  return cudaSuccess;
}

cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device) {
  if (!cpu_device::valid_stream(stream)) return record(cudaErrorInvalidResourceHandle);
  return cudaGetDevice(device);
}

cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id) {
  if (!cpu_device::valid_stream(stream)) return record(cudaErrorInvalidResourceHandle);
  if (!id) return record(cudaErrorInvalidValue);
  *id = reinterpret_cast<unsigned long long>(&cpu_device::queue_of(stream));
  return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  if (cpu_device::is_default(stream)) return record(cudaErrorInvalidResourceHandle);
  if (cpu_device::alive(stream)) {
    cpu_device::abandon_capture(stream);
    cpu_device::retire_queue(*stream->queue);
    std::lock_guard lock(cpu_device::handles().mutex);
    cpu_device::handles().streams.erase(stream);
  }
  return cpu_device::destroy(stream);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  if (!cpu_device::valid_stream(stream)) return record(cudaErrorInvalidResourceHandle);
  if (const cudaError_t error = may_ask(stream)) return record(error);
  return cpu_device::synchronise_stream(stream);
}

/// Accepted without effect: there is no L2 cache to keep, and priorities are not modelled.
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                   const cudaStreamAttrValue* value) {
  if (!cpu_device::valid_stream(stream)) return record(cudaErrorInvalidResourceHandle);
  const bool known = attribute == cudaStreamAttributeAccessPolicyWindow ||
                     attribute == cudaStreamAttributeSynchronizationPolicy ||
                     attribute == cudaStreamAttributePriority;
  return record(value && known ? cudaSuccess : cudaErrorInvalidValue);
}

/// Says "not ready" while there is work (which is no error that would be kept), and lets one piece
/// of it be performed, so that a program that asks again and again comes to an end.
cudaError_t cudaStreamQuery(cudaStream_t stream) {
  if (!cpu_device::valid_stream(stream)) return record(cudaErrorInvalidResourceHandle);
  if (const cudaError_t error = may_ask(stream)) return record(error);
  if (cpu_device::ask_for_one(cpu_device::queue_of(stream))) return cudaErrorNotReady;
  return cpu_device::synchronise();
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  if (const cudaError_t error = cpu_device::context_error()) return record(error);
  if (!function) return record(cudaErrorInvalidValue);
  return record(cpu_device::submit_call(stream, [=] { function(data); }));
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data,
                                  unsigned int flags) {
  if (const cudaError_t error = cpu_device::context_error()) return record(error);
  if (!callback || flags) return record(cudaErrorInvalidValue);
  return record(cpu_device::submit_call(stream, [=] { callback(stream, cudaSuccess, data); }));
}

}  // extern "C"
