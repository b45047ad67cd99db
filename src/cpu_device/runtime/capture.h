/// @file
/// Captures: streams whose work goes into a graph, and the calls that a capture forbids.
#pragma once

#include <cuda_runtime.h>

#include <memory>
#include <thread>
#include <vector>

#include "graph.h"
#include "queue.h"

namespace cpu_device {

/// One capture. Several streams may take part: each that waits for an event recorded in it joins.
struct Capture {
  enum class State { kActive, kInvalid, kEnded };

  CUgraph_st graph;
  cudaStream_t origin = nullptr;  ///< the stream that began it, and has to end it
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  std::thread::id thread;  ///< that began it
  State state = State::kActive;
};

/// A stream's part in a capture, or an event's.
struct Captured {
  std::shared_ptr<Capture> capture;      ///< null: none
  std::vector<CUgraphNode_st*> up_to{};  ///< what comes next comes after these nodes

  explicit operator bool() const { return capture != nullptr; }
  bool ended() const { return capture && capture->state == Capture::State::kEnded; }
  bool invalid() const { return capture && capture->state == Capture::State::kInvalid; }
};

cudaError_t begin_capture(cudaStream_t stream, cudaStreamCaptureMode mode);
cudaError_t end_capture(cudaStream_t stream, cudaGraph_t* graph);
/// Appends what a stream that takes part is given.
void capture(Captured& part, Operation operation);
/// Makes `stream` wait for what the event stands for; it joins the event's capture.
cudaError_t join_capture(cudaStream_t stream, const Captured& event);
/// A stream that is destroyed takes its capture with it.
void abandon_capture(cudaStream_t stream);

/// Makes the capture, if any, useless, and returns `error`: the call was not permitted in it.
cudaError_t invalidate(const Captured& part, cudaError_t error);

/// The three refusals: cudaSuccess where no capture forbids the call; otherwise the error, and the
/// captures that it collides with become invalid.
///  - calls that may wait or have effects beyond their stream, by the modes of captures and thread
cudaError_t refuse_unsafe_call();
///  - work for the legacy stream, which every blocking stream waits for
cudaError_t refuse_legacy_stream();
///  - a wait for the whole device
cudaError_t refuse_device_wait();

/// This thread's mode (cudaThreadExchangeStreamCaptureMode).
cudaStreamCaptureMode& capture_mode();

}  // namespace cpu_device
