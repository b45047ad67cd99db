#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <memory>

#include "coalesce/stream.hpp"
#include "staging_ring.hpp"

namespace chapter04 {

/// Kinds of host memory, by what the device may do with it.
// [kinds]
enum class host_memory {
  pageable,        ///< of malloc, new, std::vector: the system may move its pages
  pinned,          ///< of cudaHostAlloc: its pages stay where they are
  write_combined,  ///< pinned, and kept out of the caches: the host writes it well and reads it badly
};
// [/kinds]

/// Frees what allocate_host() gave. A failure is printed.
struct free_host {
  host_memory kind = host_memory::pageable;
  void operator()(std::byte* bytes) const noexcept;
};
using host_bytes = std::unique_ptr<std::byte[], free_host>;

/// Host memory of a kind; its pages are there, their contents are zero.
/// \param kind  which \param bytes how many, 0 included
/// \throws std::bad_alloc, coalesce::cuda_error when the system refuses the memory
host_bytes allocate_host(host_memory kind, std::size_t bytes);

/// Two copies at once, one to the device and one from it, in two streams.
class both_ways {
 public:
  /// Enqueues both copies. Later work in `stream` waits for both; the host waits where the runtime does.
  /// \param d_to, from      bytes go from the host to the device
  /// \param to, d_from      other bytes go from the device to the host
  /// \param bytes           in each direction
  /// \param stream          what is in it runs before; the first copy runs in it
  /// \throws coalesce::cuda_error
  void copy(std::byte* d_to, const std::byte* from, std::byte* to, const std::byte* d_from,
            std::size_t bytes, cudaStream_t stream);

 private:
  coalesce::stream back_{coalesce::stream_kind::independent};
  coalesce::event begin_, end_;
};

/// A step that prints when copies return to the host. \param n bytes, or 0 for 64 MiB
/// \return 0 when everything arrived, else 1
int when_copies_return(std::int64_t n);

}  // namespace chapter04
