#pragma once

#include <cuda_runtime.h>

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <vector>

#include "coalesce/device_buffer.hpp"
#include "coalesce/stream.hpp"

namespace chapter04 {

/// How a staging_ring is made.
// [shape]
struct ring_shape {
  int threads = 16;                   ///< threads of the host that copy
  std::size_t chunk_bytes = 2 << 20;  ///< most bytes that one of them copies and sends at a time
  int chunks = 2;   ///< pinned chunks of each thread: one is filled, one on its way
  int streams = 1;  ///< streams that the threads share
  std::size_t least_share = 2 << 20;  ///< bytes of a copy for each thread that is woken for it
};
// [/shape]

/// Copies between ordinary (pageable) host memory and the device nearly as fast as pinned memory is copied.
///
/// Several threads copy pieces of the array into pinned chunks of their own, and send each chunk with
/// cudaMemcpyAsync; an event tells when a chunk may be filled again. The other way round, chunks arrive
/// and are copied out. Threads and chunks live as long as the ring: making one is slow, copies are not.
class staging_ring {
 public:
  /// Starts the threads and pins threads * chunks * chunk_bytes of host memory, on the current device.
  /// \throws std::invalid_argument unless all numbers are 1 or more, and the memory can be counted
  /// \throws coalesce::cuda_error when the system refuses the memory
  explicit staging_ring(ring_shape shape = {});
  staging_ring(const staging_ring&) = delete;
  staging_ring& operator=(const staging_ring&) = delete;
  /// Ends the threads.
  ~staging_ring() = default;

  /// Copies `bytes` bytes from the host to the device; 0 is legal. One copy at a time.
  /// \par Stream behaviour
  /// Begins after all work now in `stream`. The data are on the device when it returns. Cannot be
  /// captured into a graph.
  /// \param d_to   on the device the ring was made for
  /// \param from   on the host, pageable or not
  /// \param bytes  how many
  /// \param stream what the copy has to wait for
  /// \throws coalesce::cuda_error when a copy fails; no thread uses the memory afterwards
  void to_device(void* d_to, const void* from, std::size_t bytes, cudaStream_t stream = nullptr);

  /// The same from the device to the host. \param to on the host \param d_from on the device
  void to_host(void* to, const void* d_from, std::size_t bytes, cudaStream_t stream = nullptr);

  /// As it was made.
  const ring_shape& shape() const noexcept { return shape_; }

 private:
  /// Bytes of the array that go through one chunk; the last piece may be shorter.
  struct piece {
    std::size_t first;
    std::size_t bytes;
  };
  /// A stream that several threads put copies into, in turn.
  struct shared_stream {
    std::mutex mutex;
    coalesce::stream stream{coalesce::stream_kind::independent};
  };
  /// Part of the pinned memory, and a mark behind the last copy that used it.
  struct chunk {
    std::byte* data;
    coalesce::event last_copy{coalesce::event_kind::order};
  };
  /// What one thread owns, and the stream that it shares.
  struct worker {
    std::vector<chunk> chunks;
    shared_stream* way;
  };

  void copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
            cudaStream_t stream);
  std::size_t size_of_pieces(std::size_t bytes, int helpers) const;
  std::optional<piece> next_piece();
  void enqueue(worker& mine, chunk& c, void* to, const void* from, std::size_t bytes);
  void send(worker& mine);
  void receive(worker& mine);
  void take_part(worker& mine);
  void live(const std::stop_token& stop, worker& mine);

  ring_shape shape_;
  int device_ = 0;
  coalesce::pinned_buffer<std::byte> memory_;
  std::deque<shared_stream> streams_;  // a deque, because a mutex cannot be moved
  std::vector<worker> workers_;
  coalesce::event before_{coalesce::event_kind::order};  // what a copy has to wait for

  std::mutex mutex_;  // guards all below
  std::condition_variable_any begun_, ended_;
  int places_ = 0;  // threads that the present copy still waits for
  int busy_ = 0;    // threads that take part in it
  std::byte* to_ = nullptr;
  const std::byte* from_ = nullptr;
  std::size_t bytes_ = 0, piece_bytes_ = 0, given_out_ = 0;
  cudaMemcpyKind kind_ = cudaMemcpyHostToDevice;
  std::exception_ptr failure_;

  std::vector<std::jthread> threads_;  // last: ended first
};

}  // namespace chapter04
