/// @file
/// Capture of streams, and executable graphs.
#include <cuda_runtime.h>

#include <algorithm>

#include "errors.h"
#include "handles.h"
#include "streams.h"

using cpu_device::record;

extern "C" {

// ---- capture

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  if (const cudaError_t error = cpu_device::context_error()) return record(error);
  if (cpu_device::is_default(stream)) {
    const cudaError_t refused = cpu_device::may_submit(stream);
    return record(refused ? refused : cudaErrorStreamCaptureUnsupported);
  }
  if (!cpu_device::alive(stream)) return record(cudaErrorInvalidResourceHandle);
  return record(cpu_device::begin_capture(stream, mode));
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  if (const cudaError_t error = cpu_device::context_error()) return record(error);
  if (!graph) return record(cudaErrorInvalidValue);
  if (!cpu_device::is_capturing(stream)) return record(cudaErrorIllegalState);
  return record(cpu_device::end_capture(stream, graph));
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  if (!status) return record(cudaErrorInvalidValue);
  if (!cpu_device::valid_stream(stream)) return record(cudaErrorInvalidResourceHandle);
  *status = cudaStreamCaptureStatusNone;
  if (cpu_device::is_capturing(stream)) {
    const bool active = stream->captured.capture->state == cpu_device::Capture::State::kActive;
    *status = active ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusInvalidated;
  }
  return cudaSuccess;
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  if (!mode) return record(cudaErrorInvalidValue);
  std::swap(*mode, cpu_device::capture_mode());
  return cudaSuccess;
}

// ---- executable graphs

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* exec, cudaGraph_t graph,
                                          unsigned long long) {
  if (const cudaError_t error = cpu_device::context_error()) return record(error);
  if (!exec || !cpu_device::alive(graph)) return record(cudaErrorInvalidValue);
  auto steps = cpu_device::steps_of(*graph);
  if (!steps) return record(cudaErrorInvalidValue);
  *exec = cpu_device::make<CUgraphExec_st>();
  (*exec)->steps = std::move(*steps);
  return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph,
                                 unsigned long long flags) {
  return cudaGraphInstantiateWithFlags(exec, graph, flags);
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
  if (const cudaError_t error = cpu_device::context_error()) return record(error);
  if (!cpu_device::alive(exec)) return record(cudaErrorInvalidValue);
  for (const cpu_device::GraphStep& step : exec->steps) {
    if (!step.enabled) continue;
    cudaError_t error = cudaSuccess;
    if (step.type == cudaGraphNodeTypeEventRecord) error = cudaEventRecord(step.event, stream);
    if (step.type == cudaGraphNodeTypeWaitEvent) error = cudaStreamWaitEvent(stream, step.event);
    for (const cpu_device::Operation& operation : step.operations) {
      if (!error) error = cpu_device::submit(stream, operation);
    }
    if (error) return record(error);
  }
  return cudaSuccess;
}

cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream) {
  const bool good = cpu_device::alive(exec) && cpu_device::valid_stream(stream);
  return record(good ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo* info) {
  if (const cudaError_t error = cpu_device::context_error()) return record(error);
  if (!info || !cpu_device::alive(exec) || !cpu_device::alive(graph)) {
    return record(cudaErrorInvalidValue);
  }
  *info = {cudaGraphExecUpdateSuccess, nullptr, nullptr};
  auto ordered = cpu_device::steps_of(*graph);
  if (!ordered) return record(cudaErrorInvalidValue);
  std::vector<cpu_device::GraphStep>& steps = *ordered;
  if (steps.size() != exec->steps.size()) info->result = cudaGraphExecUpdateErrorTopologyChanged;
  for (size_t i = 0; i < steps.size() && info->result == cudaGraphExecUpdateSuccess; ++i) {
    if (steps[i].type != exec->steps[i].type) {
      info->result = cudaGraphExecUpdateErrorNodeTypeChanged;
    } else if (steps[i].before != exec->steps[i].before) {
      info->result = cudaGraphExecUpdateErrorTopologyChanged;
    }
    if (info->result) info->errorNode = const_cast<cudaGraphNode_t>(steps[i].node);
  }
  if (info->result) return record(cudaErrorGraphExecUpdateFailure);
  for (size_t i = 0; i < steps.size(); ++i) {
    exec->steps[i].operations = std::move(steps[i].operations);
    exec->steps[i].event = steps[i].event;
  }
  return cudaSuccess;
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  return cpu_device::destroy(exec, cudaErrorInvalidValue);
}

}  // extern "C"
