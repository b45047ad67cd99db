#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <functional>

#include "coalesce/error.hpp"

/// \defgroup streams Streams, events and graphs
/// Owners of the runtime's handles, and a graph that replays launches.
/// @{

namespace coalesce {

class event;

/// How a stream stands to the default stream.
enum class stream_kind {
  waits_for_default,  ///< takes turns with work on the default stream: the safe kind
  independent,        ///< does not (cudaStreamNonBlocking)
};

/// Owning stream: work in it runs in order, work in two streams may overlap.
class stream {
 public:
  /// Makes a stream on the current device. \throws cuda_error
  explicit stream(stream_kind kind = stream_kind::waits_for_default);
  /// Takes over the handle of `other`, which is left without one.
  stream(stream&& other) noexcept;
  /// Exchanges the handles.
  stream& operator=(stream&& other) noexcept;
  /// Releases the stream; its work still completes. A failure is printed.
  ~stream();

  /// The runtime's handle.
  cudaStream_t get() const noexcept { return handle_; }
  /// The runtime's handle, so that a stream can stand where the runtime wants one.
  operator cudaStream_t() const noexcept { return handle_; }

  /// Waits until all work in the stream is done.
  /// \throws cuda_error also when a kernel in the stream failed
  void synchronize() const;
  /// Lets later work in this stream wait for `e`; the host does not wait. \throws cuda_error
  void wait_for(const event& e) const;

 private:
  cudaStream_t handle_ = nullptr;
};

/// What an event is for.
enum class event_kind {
  timed,  ///< carries the time at which its stream passed it
  order,  ///< can only be waited for, and costs less (cudaEventDisableTiming)
};

/// Owning event: a mark in a stream that can be waited for, and carries a time if it was made so.
class event {
 public:
  /// Makes an event that can be timed. \throws cuda_error
  event() : event(event_kind::timed) {}
  /// Makes an event of a kind. \throws cuda_error
  explicit event(event_kind kind);
  /// Takes over the handle of `other`, which is left without one.
  event(event&& other) noexcept;
  /// Exchanges the handles.
  event& operator=(event&& other) noexcept;
  /// Releases the event. A failure is printed.
  ~event();

  /// The runtime's handle.
  cudaEvent_t get() const noexcept { return handle_; }

  /// Places the mark behind all work now in `stream`; returns at once. \throws cuda_error
  void record(cudaStream_t stream = nullptr) const;
  /// Waits until the stream has passed the mark.
  /// \throws cuda_error also when a kernel before the mark failed
  void synchronize() const;
  /// True when the stream has passed the mark; does not wait. \throws cuda_error
  bool passed() const;

 private:
  cudaEvent_t handle_ = nullptr;
};

/// Seconds of device time between two recorded events.
/// \par Stream behaviour
/// Waits for `stop`.
/// \throws cuda_error when one was not recorded or a kernel between them failed
/// \par Source
/// cudaEventElapsedTime; its resolution is stated there as about half a microsecond.
double seconds_between(const event& start, const event& stop);

/// A recording of launches that is replayed as one unit, which takes the host's launch rate out of
/// the time of short kernels.
///
/// On the CPU device, which runs everything at once, it calls the launches anew instead.
class graph_replay {
 public:
  /// Captures `times` calls of `launch` in a row and makes them executable.
  /// \par Stream behaviour
  /// Nothing of the captured work runs. `launch` must enqueue on the stream that it is handed, and
  /// must neither wait nor allocate.
  /// \param launch enqueues the work once
  /// \param times  how often to capture it, 1 or more
  /// \throws cuda_error when something in `launch` cannot be captured
  /// \throws std::invalid_argument when `times` is below 1
  graph_replay(const std::function<void(cudaStream_t)>& launch, int times);
  /// Takes over the handle of `other`, which is left without one.
  graph_replay(graph_replay&& other) noexcept;
  /// Exchanges the handles.
  graph_replay& operator=(graph_replay&& other) noexcept;
  /// Destroys the graph. A failure is printed.
  ~graph_replay();

  /// Enqueues one replay, that is times() launches, on `stream`; returns at once.
  /// \throws cuda_error
  void replay(cudaStream_t stream) const;

  /// Calls of the captured function in one replay.
  int times() const noexcept { return times_; }
  /// Operations (kernels, copies, fills) captured; 0 when the function enqueued nothing, or
  /// enqueued it elsewhere. Not known on the CPU device, where it equals times().
  std::size_t operations() const noexcept { return operations_; }

 private:
  std::function<void(cudaStream_t)> launch_;  // used on the CPU device only
  cudaGraphExec_t executable_ = nullptr;
  int times_ = 0;
  std::size_t operations_ = 0;
};

}  // namespace coalesce

/// @}
