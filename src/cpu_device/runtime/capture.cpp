#include "capture.h"

#include <algorithm>
#include <mutex>
#include <unordered_set>

#include "handles.h"

namespace cpu_device {
namespace {

using State = Capture::State;

struct Captures {
  std::mutex mutex;
  std::vector<std::shared_ptr<Capture>> begun;  // and not ended
};

Captures& captures() {
  static Captures& once = *new Captures;
  return once;
}

void forget(const std::shared_ptr<Capture>& capture) {
  capture->state = State::kEnded;
  std::lock_guard lock(captures().mutex);
  auto& begun = captures().begun;
  begun.erase(std::remove(begun.begin(), begun.end(), capture), begun.end());
}

/// `error`, when some capture collides with the call; each that does becomes invalid.
template <class Collides>
cudaError_t refuse(cudaError_t error, Collides collides) {
  std::lock_guard lock(captures().mutex);
  bool refused = false;
  for (const auto& capture : captures().begun) {
    if (!collides(*capture)) continue;
    capture->state = State::kInvalid;
    refused = true;
  }
  return refused ? error : cudaSuccess;
}

/// Whether the origin stream waits, at its end, for all that the other streams were given.
bool joined(const Capture& capture, const std::vector<CUgraphNode_st*>& up_to) {
  std::unordered_set<const CUgraphNode_st*> followed(up_to.begin(), up_to.end());
  for (const auto& node : capture.graph.nodes) {
    followed.insert(node->before.begin(), node->before.end());
  }
  return followed.size() == capture.graph.nodes.size();
}

}  // namespace

cudaError_t begin_capture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  if (stream->captured) return cudaErrorIllegalState;
  auto capture = std::make_shared<Capture>();
  capture->origin = stream;
  capture->mode = mode;
  capture->thread = std::this_thread::get_id();
  stream->captured = {capture};
  std::lock_guard lock(captures().mutex);
  captures().begun.push_back(std::move(capture));
  return cudaSuccess;
}

cudaError_t end_capture(cudaStream_t stream, cudaGraph_t* graph) {
  const Captured part = stream->captured;
  if (!part) return cudaErrorIllegalState;
  if (part.capture->origin != stream) return invalidate(part, cudaErrorStreamCaptureUnmatched);
  const bool valid = part.capture->state == State::kActive;
  for_each_stream([&](cudaStream_t each) {
    if (each->captured.capture == part.capture) each->captured = {};
  });
  forget(part.capture);
  *graph = nullptr;
  if (!valid) return cudaErrorStreamCaptureInvalidated;
  if (!joined(*part.capture, part.up_to)) return cudaErrorStreamCaptureUnjoined;
  *graph = make<CUgraph_st>();
  (*graph)->nodes = std::move(part.capture->graph.nodes);
  for (const auto& node : (*graph)->nodes) node->graph = *graph;
  return cudaSuccess;
}

void capture(Captured& part, Operation operation) {
  CUgraphNode_st* node = add_node(part.capture->graph, operation.type);
  node->before = part.up_to;
  node->operations.push_back(std::move(operation));
  part.up_to = {node};
}

cudaError_t join_capture(cudaStream_t stream, const Captured& event) {
  Captured& part = stream->captured;
  if (event.ended()) return cudaErrorInvalidValue;
  if (event.invalid()) return cudaErrorStreamCaptureInvalidated;
  if (part && part.capture != event.capture) {
    invalidate(part, cudaErrorStreamCaptureMerge);
    return invalidate(event, cudaErrorStreamCaptureMerge);
  }
  part.capture = event.capture;
  for (CUgraphNode_st* node : event.up_to) {
    const bool known = std::find(part.up_to.begin(), part.up_to.end(), node) != part.up_to.end();
    if (!known) part.up_to.push_back(node);
  }
  return cudaSuccess;
}

void abandon_capture(cudaStream_t stream) {
  const Captured& part = stream->captured;
  if (!part) return;
  part.capture->state = State::kInvalid;
  if (part.capture->origin == stream) forget(part.capture);
}

cudaError_t invalidate(const Captured& part, cudaError_t error) {
  if (part && part.capture->state == State::kActive) part.capture->state = State::kInvalid;
  return error;
}

cudaStreamCaptureMode& capture_mode() {
  static thread_local cudaStreamCaptureMode mine = cudaStreamCaptureModeGlobal;
  return mine;
}

cudaError_t refuse_unsafe_call() {
  if (capture_mode() == cudaStreamCaptureModeRelaxed) return cudaSuccess;
  const bool heeds_others = capture_mode() == cudaStreamCaptureModeGlobal;
  return refuse(cudaErrorStreamCaptureUnsupported, [&](const Capture& capture) {
    if (capture.thread == std::this_thread::get_id()) {
      return capture.mode != cudaStreamCaptureModeRelaxed;
    }
    return heeds_others && capture.mode == cudaStreamCaptureModeGlobal;
  });
}

cudaError_t refuse_legacy_stream() {
  return refuse(cudaErrorStreamCaptureImplicit, [](const Capture& capture) {
    bool blocking = false;
    for_each_stream([&](cudaStream_t each) {
      const bool takes_part = each->captured.capture.get() == &capture;
      blocking = blocking || (takes_part && each->flags == cudaStreamDefault);
    });
    return blocking;
  });
}

cudaError_t refuse_device_wait() {
  return refuse(cudaErrorStreamCaptureUnsupported, [](const Capture&) { return true; });
}

}  // namespace cpu_device
