#include "coalesce/stream.hpp"

#include <stdexcept>
#include <string>
#include <utility>

namespace coalesce {

stream::stream(stream_kind kind) {
  if (kind == stream_kind::independent)
    COALESCE_CHECK(cudaStreamCreateWithFlags(&handle_, cudaStreamNonBlocking));
  else
    COALESCE_CHECK(cudaStreamCreate(&handle_));
}

stream::stream(stream&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}

stream& stream::operator=(stream&& other) noexcept {
  std::swap(handle_, other.handle_);
  return *this;
}

stream::~stream() {
  if (handle_ != nullptr) report_failure(cudaStreamDestroy(handle_), "cudaStreamDestroy");
}

void stream::synchronize() const {
  COALESCE_CHECK(cudaStreamSynchronize(handle_));
}

void stream::wait_for(const event& e) const {
  COALESCE_CHECK(cudaStreamWaitEvent(handle_, e.get(), 0));
}

event::event(event_kind kind) {
  COALESCE_CHECK(cudaEventCreateWithFlags(
      &handle_, kind == event_kind::timed ? cudaEventDefault : cudaEventDisableTiming));
}

event::event(event&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}

event& event::operator=(event&& other) noexcept {
  std::swap(handle_, other.handle_);
  return *this;
}

event::~event() {
  if (handle_ != nullptr) report_failure(cudaEventDestroy(handle_), "cudaEventDestroy");
}

void event::record(cudaStream_t stream) const {
  COALESCE_CHECK(cudaEventRecord(handle_, stream));
}

void event::synchronize() const {
  COALESCE_CHECK(cudaEventSynchronize(handle_));
}

bool event::passed() const {
  const cudaError_t code = cudaEventQuery(handle_);
  if (code == cudaErrorNotReady) {
    (void)cudaGetLastError();
    return false;
  }
  if (code != cudaSuccess) throw cuda_error(code, "cudaEventQuery failed", call_site::current());
  return true;
}

double seconds_between(const event& start, const event& stop) {
  stop.synchronize();
  float milliseconds = 0;
  COALESCE_CHECK(cudaEventElapsedTime(&milliseconds, start.get(), stop.get()));
  return 1e-3 * static_cast<double>(milliseconds);
}

namespace {

void require_times(int times) {
  if (times < 1)
    throw std::invalid_argument("a graph of " + std::to_string(times) +
                                " launches; the least is 1");
}

}  // namespace

#ifdef __CPU_DEVICE__

// The CPU device has no graphs: a replay calls the launches again, which gives the same results.
graph_replay::graph_replay(const std::function<void(cudaStream_t)>& launch, int times)
    : launch_(launch), times_(times), operations_(static_cast<std::size_t>(times)) {
  require_times(times);
}

graph_replay::~graph_replay() = default;

void graph_replay::replay(cudaStream_t stream) const {
  for (int i = 0; i < times_; ++i) launch_(stream);
}

#else

graph_replay::graph_replay(const std::function<void(cudaStream_t)>& launch, int times)
    : times_(times) {
  require_times(times);
  const stream capturing(stream_kind::independent);
  COALESCE_CHECK(cudaStreamBeginCapture(capturing, cudaStreamCaptureModeThreadLocal));
  cudaGraph_t graph = nullptr;
  try {
    for (int i = 0; i < times; ++i) launch(capturing);
  } catch (...) {  // the stream must leave the capture before it can be destroyed
    (void)cudaStreamEndCapture(capturing, &graph);
    if (graph != nullptr) report_failure(cudaGraphDestroy(graph), "cudaGraphDestroy");
    (void)cudaGetLastError();
    throw;
  }
  COALESCE_CHECK(cudaStreamEndCapture(capturing, &graph));
  cudaError_t made = cudaGraphGetNodes(graph, nullptr, &operations_);
  if (made == cudaSuccess) made = cudaGraphInstantiate(&executable_, graph, 0);
  report_failure(cudaGraphDestroy(graph), "cudaGraphDestroy");
  if (made != cudaSuccess)
    throw cuda_error(made, "making a captured graph executable failed", call_site::current());
}

graph_replay::~graph_replay() {
  if (executable_ != nullptr)
    report_failure(cudaGraphExecDestroy(executable_), "cudaGraphExecDestroy");
}

void graph_replay::replay(cudaStream_t stream) const {
  COALESCE_CHECK(cudaGraphLaunch(executable_, stream));
}

#endif

graph_replay::graph_replay(graph_replay&& other) noexcept
    : launch_(std::move(other.launch_)),
      executable_(std::exchange(other.executable_, nullptr)),
      times_(other.times_),
      operations_(other.operations_) {}

graph_replay& graph_replay::operator=(graph_replay&& other) noexcept {
  std::swap(launch_, other.launch_);
  std::swap(executable_, other.executable_);
  std::swap(times_, other.times_);
  std::swap(operations_, other.operations_);
  return *this;
}

}  // namespace coalesce
