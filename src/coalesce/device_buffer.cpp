#include "coalesce/device_buffer.hpp"

#include <limits>
#include <stdexcept>
#include <string>

#include "coalesce/format.hpp"

namespace coalesce::detail {

std::size_t checked_bytes(std::int64_t count, std::size_t element_bytes, const char* owner) {
  if (count < 0)
    throw std::length_error(std::string(owner) + ": " + format_count(count) +
                            " elements asked for; the least is 0");
  if (static_cast<std::uint64_t>(count) > std::numeric_limits<std::size_t>::max() / element_bytes)
    throw std::length_error(std::string(owner) + ": " + format_count(count) + " elements of " +
                            format_bytes(element_bytes) + " are more bytes than 64 bits count");
  return static_cast<std::size_t>(count) * element_bytes;
}

void* allocate_device(std::size_t bytes, std::size_t element_bytes, call_site where) {
  if (bytes == 0) return nullptr;
  void* pointer = nullptr;
  const cudaError_t code = cudaMalloc(&pointer, bytes);
  if (code == cudaSuccess) return pointer;
  (void)cudaGetLastError();
  if (code != cudaErrorMemoryAllocation) throw cuda_error(code, "cudaMalloc failed", where);
  std::size_t free = 0, total = 0;
  if (cudaMemGetInfo(&free, &total) != cudaSuccess) free = 0;
  throw out_of_memory(bytes, free, element_bytes, where);
}

void free_device(void* pointer) noexcept {
  if (pointer != nullptr) report_failure(cudaFree(pointer), "cudaFree");
}

void* allocate_pinned(std::size_t bytes, call_site where) {
  if (bytes == 0) return nullptr;
  void* pointer = nullptr;
  const cudaError_t code = cudaMallocHost(&pointer, bytes);
  if (code == cudaSuccess) return pointer;
  (void)cudaGetLastError();
  throw cuda_error(code, "allocating " + format_bytes(bytes) + " of pinned memory failed", where,
                   code == cudaErrorMemoryAllocation
                       ? "The system locks only part of its memory: ask for less."
                       : "");
}

void free_pinned(void* pointer) noexcept {
  if (pointer != nullptr) report_failure(cudaFreeHost(pointer), "cudaFreeHost");
}

void require_same_size(std::int64_t buffer, std::size_t host, const char* what) {
  if (static_cast<std::uint64_t>(buffer) == host) return;
  throw std::length_error(std::string(what) + ": the buffer has " + format_count(buffer) +
                          " elements, the host's array " +
                          format_count(static_cast<std::int64_t>(host)));
}

void copy_and_wait(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                   cudaStream_t stream) {
  if (bytes == 0) return;
  COALESCE_CHECK(cudaMemcpyAsync(to, from, bytes, kind, stream));
  COALESCE_CHECK(cudaStreamSynchronize(stream));
}

void copy_later(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                cudaStream_t stream) {
  if (bytes != 0) COALESCE_CHECK(cudaMemcpyAsync(to, from, bytes, kind, stream));
}

void fill_bytes_later(void* to, int byte, std::size_t bytes, cudaStream_t stream) {
  if (bytes != 0) COALESCE_CHECK(cudaMemsetAsync(to, byte, bytes, stream));
}

}  // namespace coalesce::detail
