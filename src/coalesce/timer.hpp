#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "coalesce/device_buffer.hpp"
#include "coalesce/stream.hpp"

/// \defgroup timing Timing: events, caches hot and cold, launches in a stream and in a graph
/// Device times only, on a GPU only. What each mode measures stands at sampler.
/// @{

namespace coalesce {

/// Stop-watch of the device: two events around the work.
///
/// It cannot be read before the work is done, so it never times the launch alone.
class event_timer {
 public:
  /// Marks the start behind the work now in `stream`. \throws cuda_error
  void start(cudaStream_t stream = nullptr);
  /// Marks the end behind the work now in `stream`. \throws cuda_error
  void stop(cudaStream_t stream = nullptr);
  /// Seconds between the marks.
  /// \par Stream behaviour
  /// Waits for the stop mark.
  /// \throws std::logic_error when start() and stop() were not called in this order
  /// \throws cuda_error when the work between the marks failed
  double seconds() const;
  /// True when the device has already passed the start mark; does not wait.
  bool started() const;

 private:
  event start_;
  event stop_;
  enum class state { fresh, running, stopped } state_ = state::fresh;
};

/// Empties the L2 cache of other data by reading a buffer of its own, three times the cache's size.
///
/// Reading leaves clean lines. Writing would leave dirty ones, whose way back to memory the next
/// kernel would pay for. On a device without a known L2 (the CPU device) it does nothing.
/// \par Source
/// nvbench clears the cache by a memset before each cold run (nvbench issue 459 is about the
/// writes that stay behind); CUTLASS's profiling guide asks for at least twice the cache.
class cache_flusher {
 public:
  /// Allocates the buffer for the current device and fills it once.
  /// \throws out_of_memory
  cache_flusher();
  /// Enqueues one pass over the buffer; returns at once. \throws cuda_error
  void flush(cudaStream_t stream);
  /// Size of the buffer in bytes; 0 when nothing is flushed.
  std::size_t bytes() const noexcept { return buffer_.bytes(); }

 private:
  device_buffer<std::uint32_t> buffer_;
  device_buffer<std::uint32_t> sink_;
};

/// What lies in the L2 cache when a timed launch starts.
enum class cache_state {
  hot,   ///< what the launch before left there: the same buffers, back to back
  cold,  ///< nothing of ours: the cache is flushed by reading before every launch
};

/// How timed launches reach the device.
enum class launch_mode {
  stream,  ///< one by one, as a program would
  graph,   ///< captured and replayed
};

/// How to measure. The defaults suit the course's kernels.
struct measure_options {
  double warm_up_seconds = 0.5;              ///< work done untimed, at least; at least one launch
  int samples = 30;                          ///< samples that measure() takes
  cache_state cache = cache_state::hot;      ///< state of L2
  launch_mode launch = launch_mode::stream;  ///< way to the device
  int inner = 0;                 ///< launches a sample, 1 to 512; 0: 1 cold, else by sample_seconds
  double sample_seconds = 2e-3;  ///< wanted length of a sample when `inner` is 0
};

/// Options for a number shown in passing: short, hot, in a stream. Not for results that are kept.
measure_options quick_look();

/// Takes one timing sample at a time, so that several kernels can take turns.
///
/// | cache | launch | one sample is |
/// | --- | --- | --- |
/// | hot | stream | `inner` launches back to back between two events, divided by `inner` |
/// | hot | graph | one replay of a graph of `inner` launches between two events, divided |
/// | cold | stream | mean over `inner` launches, each after a flush, with two events of its own |
/// | cold | graph | the same, each launch a graph of one |
///
/// Before a hot sample the stream is held by a kernel that spins for as long as the host needs to
/// enqueue the sample (doubled when it was too short), so that the host's launch rate is not in the
/// time; then comes one untimed launch, so that samplers may take turns and each still finds its
/// own data in the cache. In a cold sample the flush holds the stream as well. A cold time holds the
/// cost of an event on each side, about a microsecond, that a hot one does not: compare hot with
/// hot.
/// \par Source
/// nvbench holds the stream by a blocking kernel for the same purpose (its batch measurement is
/// our hot stream, its cold measurement our cold stream); the CUTLASS profiling guide and
/// triton.testing.do_bench describe rotation and flushing; issues NVIDIA/nvbench 194 and 310 show
/// why hot and cold are never mixed.
class sampler {
 public:
  /// Warms up, finds the number of launches a sample and, in graph mode, captures.
  /// \par Stream behaviour
  /// Runs on a stream of its own, which waits for the default stream; waits for it.
  /// \param launch enqueues the work once on the stream it is handed, and does nothing else
  /// \param options how to measure; `samples` is not used here
  /// \throws std::logic_error on the CPU device, which is never timed, and when a graph captured
  /// nothing
  /// \throws std::invalid_argument for options out of range
  /// \throws cuda_error when the work fails
  sampler(std::function<void(cudaStream_t)> launch, const measure_options& options);
  /// Releases the stream and the graph.
  ~sampler();
  /// Takes over; the source can only be destroyed or assigned to.
  sampler(sampler&&) noexcept;
  /// Takes over; the source can only be destroyed or assigned to.
  sampler& operator=(sampler&&) noexcept;

  /// Takes one sample: seconds of device time for one launch.
  /// \par Stream behaviour
  /// Waits for the sample's end.
  /// \throws cuda_error when the work fails
  double sample();

  /// Launches in one sample.
  int launches() const noexcept;
  /// True when the hold outlasted the enqueueing in the last sample. False means that the launch
  /// itself waits for the device or is slow on the host, and that its time is in the sample.
  bool held() const noexcept;

 private:
  struct parts;
  std::unique_ptr<parts> parts_;
};

/// Warms up, then takes `options.samples` samples of one kernel.
/// \par Stream behaviour
/// As sampler; returns when everything is done.
/// \param launch enqueues the work once on the stream it is handed
/// \param options how to measure
/// \return seconds for one launch, a value a sample, in the order taken
/// \throws std::logic_error, std::invalid_argument, cuda_error as sampler
std::vector<double> measure(std::function<void(cudaStream_t)> launch,
                            const measure_options& options = {});

/// \cond internal
namespace detail {
/// Enqueues a kernel that spins for `seconds`. Lives in timer.cu.
void spin_for(double seconds, cudaStream_t stream);
/// Enqueues a kernel that reads `count` words and writes nothing in practice. Lives in timer.cu.
void read_all(const std::uint32_t* words, std::int64_t count, std::uint32_t* sink,
              cudaStream_t stream);
}  // namespace detail
/// \endcond

}  // namespace coalesce

/// @}
