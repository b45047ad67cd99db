/// @file
/// Graphs by stream capture.
#include <cuda_runtime.h>

#include "errors.h"
#include "handles.h"
#include "streams.h"

using cpu_device::record;

extern "C" {

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  if (const cudaError_t error = cpu_device::context_error()) return record(error);
  if (cpu_device::is_default(stream)) return record(cudaErrorStreamCaptureUnsupported);
  if (!cpu_device::alive(stream)) return record(cudaErrorInvalidResourceHandle);
  if (stream->capture) return record(cudaErrorIllegalState);
  stream->capture = std::make_shared<CUgraph_st>();
  stream->mode = mode;
  stream->began_capture = true;
  cpu_device::count_capture(mode != cudaStreamCaptureModeRelaxed);
  return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  if (const cudaError_t error = cpu_device::context_error()) return record(error);
  if (!graph) return record(cudaErrorInvalidValue);
  if (!cpu_device::is_capturing(stream)) return record(cudaErrorIllegalState);
  if (!stream->began_capture) return record(cudaErrorStreamCaptureUnmatched);
  const std::shared_ptr<CUgraph_st> captured = stream->capture;
  *graph = cpu_device::make<CUgraph_st>();
  (*graph)->operations = std::move(captured->operations);
  cpu_device::leave_capture(captured);
  cpu_device::count_capture(-(stream->mode != cudaStreamCaptureModeRelaxed));
  stream->began_capture = false;
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
