// Host memory of three kinds, and copies both ways at once.
#include "copies.hpp"

#include <cstring>
#include <new>

#include "coalesce/error.hpp"

namespace chapter04 {

// [allocate]
host_bytes allocate_host(host_memory kind, std::size_t bytes) {
  void* place = nullptr;
  if (kind == host_memory::pageable)
    place = ::operator new[](bytes);
  else
    COALESCE_CHECK(cudaHostAlloc(
        &place, bytes > 0 ? bytes : 1,
        kind == host_memory::pinned ? cudaHostAllocDefault : cudaHostAllocWriteCombined));
  std::memset(place, 0, bytes);  // pageable memory gets its pages at the first write
  return host_bytes(static_cast<std::byte*>(place), {kind});
}
// [/allocate]

void free_host::operator()(std::byte* bytes) const noexcept {
  if (kind == host_memory::pageable)
    ::operator delete[](bytes);
  else
    coalesce::report_failure(cudaFreeHost(bytes), "cudaFreeHost(bytes)");
}

// [both_ways]
void both_ways::copy(std::byte* d_to, const std::byte* from, std::byte* to, const std::byte* d_from,
                     std::size_t bytes, cudaStream_t stream) {
  begin_.record(stream);
  back_.wait_for(begin_);
  COALESCE_CHECK(cudaMemcpyAsync(d_to, from, bytes, cudaMemcpyHostToDevice, stream));
  COALESCE_CHECK(cudaMemcpyAsync(to, d_from, bytes, cudaMemcpyDeviceToHost, back_));
  end_.record(back_);
  COALESCE_CHECK(cudaStreamWaitEvent(stream, end_.get(), 0));
}
// [/both_ways]

}  // namespace chapter04
