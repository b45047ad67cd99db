#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "coalesce/error.hpp"

/// \defgroup buffers Buffers: memory of the device and pinned memory of the host
/// Owning, move-only, and counted in elements, so that nobody writes `sizeof` in a chapter.
/// @{

namespace coalesce {

/// \cond internal
namespace detail {
/// `count * element_bytes`. \throws std::length_error when the count is negative or the product
/// is too large for a size
std::size_t checked_bytes(std::int64_t count, std::size_t element_bytes, const char* owner);
void* allocate_device(std::size_t bytes, std::size_t element_bytes, call_site where);
void free_device(void* pointer) noexcept;
void* allocate_pinned(std::size_t bytes, call_site where);
void free_pinned(void* pointer) noexcept;
void require_same_size(std::int64_t buffer, std::size_t host, const char* what);
void copy_and_wait(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                   cudaStream_t stream);
void copy_later(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                cudaStream_t stream);
void fill_bytes_later(void* to, int byte, std::size_t bytes, cudaStream_t stream);
}  // namespace detail
/// \endcond

/// Owning array in pinned (page-locked) host memory, which the device can copy from and to without
/// the host's help.
/// \tparam T trivially copyable element
template <class T>
class pinned_buffer {
  static_assert(std::is_trivially_copyable_v<T>, "elements are copied byte by byte");

 public:
  /// No elements.
  pinned_buffer() = default;

  /// Allocates `count` elements; their values are indeterminate. 0 allocates nothing.
  /// \par Stream behaviour
  /// Waits for nothing, but is slow: the system locks every page.
  /// \throws std::length_error when `count` is negative or too large to count in bytes
  /// \throws cuda_error when the system refuses the memory
  explicit pinned_buffer(std::int64_t count, call_site where = call_site::current())
      : size_(count),
        data_(static_cast<T*>(detail::allocate_pinned(
            detail::checked_bytes(count, sizeof(T), "pinned_buffer"), where))) {}

  /// Takes over the memory of `other`, which is left empty.
  pinned_buffer(pinned_buffer&& other) noexcept
      : size_(std::exchange(other.size_, 0)), data_(std::exchange(other.data_, nullptr)) {}
  /// Exchanges the memory with `other`.
  pinned_buffer& operator=(pinned_buffer&& other) noexcept {
    std::swap(size_, other.size_);
    std::swap(data_, other.data_);
    return *this;
  }
  /// Frees the memory; waits for copies that use it.
  ~pinned_buffer() { detail::free_pinned(data_); }

  /// First element; nullptr when there is none.
  T* data() noexcept { return data_; }
  /// \overload
  const T* data() const noexcept { return data_; }
  /// Number of elements.
  std::int64_t size() const noexcept { return size_; }
  /// Size in bytes.
  std::size_t bytes() const noexcept { return static_cast<std::size_t>(size_) * sizeof(T); }
  /// The elements as a span.
  std::span<T> span() noexcept { return {data_, static_cast<std::size_t>(size_)}; }
  /// \overload
  std::span<const T> span() const noexcept { return {data_, static_cast<std::size_t>(size_)}; }

 private:
  std::int64_t size_ = 0;
  T* data_ = nullptr;
};

/// Owning array in the memory of the current device.
///
/// The host may not read it; it copies. A buffer of 0 elements is legal and owns nothing.
/// \tparam T trivially copyable element
template <class T>
class device_buffer {
  static_assert(std::is_trivially_copyable_v<T>, "elements are copied byte by byte");

 public:
  /// No elements.
  device_buffer() = default;

  /// Allocates `count` elements on the current device; their values are indeterminate.
  /// \par Stream behaviour
  /// Synchronous; may wait for work on the device. Not allowed while a stream is being captured.
  /// \param count elements, 0 or more; 0 allocates nothing
  /// \param where filled in by the compiler
  /// \throws std::length_error when `count` is negative or too large to count in bytes
  /// \throws out_of_memory naming bytes asked, bytes free and the largest count that fits
  explicit device_buffer(std::int64_t count, call_site where = call_site::current())
      : size_(count),
        data_(static_cast<T*>(detail::allocate_device(
            detail::checked_bytes(count, sizeof(T), "device_buffer"), sizeof(T), where))) {}

  /// Takes over the memory of `other`, which is left empty.
  device_buffer(device_buffer&& other) noexcept
      : size_(std::exchange(other.size_, 0)), data_(std::exchange(other.data_, nullptr)) {}
  /// Exchanges the memory with `other`.
  device_buffer& operator=(device_buffer&& other) noexcept {
    std::swap(size_, other.size_);
    std::swap(data_, other.data_);
    return *this;
  }
  /// Frees the memory; waits for work on the device that may use it. A failure is printed.
  ~device_buffer() { detail::free_device(data_); }

  /// First element, an address of the device; nullptr when there is none.
  T* data() noexcept { return data_; }
  /// \overload
  const T* data() const noexcept { return data_; }
  /// Number of elements.
  std::int64_t size() const noexcept { return size_; }
  /// Size in bytes.
  std::size_t bytes() const noexcept { return static_cast<std::size_t>(size_) * sizeof(T); }

  /// Sets every byte (not every element) to the low 8 bits of `byte`.
  /// \par Stream behaviour
  /// Enqueued on `stream`; returns at once.
  /// \throws cuda_error
  void fill_bytes(int byte, cudaStream_t stream = nullptr) {
    detail::fill_bytes_later(data_, byte, bytes(), stream);
  }

  /// Copies all elements from the host.
  /// \par Stream behaviour
  /// Ordered in `stream`, and waits for that stream: `host` may be changed on return.
  /// \param host   as many elements as the buffer has
  /// \param stream where the copy takes its turn
  /// \throws std::length_error when the sizes differ, naming both
  /// \throws cuda_error
  void copy_from_host(std::span<const T> host, cudaStream_t stream = nullptr) {
    detail::require_same_size(size_, host.size(), "copy_from_host");
    detail::copy_and_wait(data_, host.data(), bytes(), cudaMemcpyHostToDevice, stream);
  }

  /// Copies all elements to the host.
  /// \par Stream behaviour
  /// Ordered in `stream`, and waits for that stream: `host` is complete on return.
  /// \param host   as many elements as the buffer has
  /// \param stream where the copy takes its turn
  /// \throws std::length_error when the sizes differ, naming both
  /// \throws cuda_error also when a kernel earlier in the stream failed
  void copy_to_host(std::span<T> host, cudaStream_t stream = nullptr) const {
    detail::require_same_size(size_, host.size(), "copy_to_host");
    detail::copy_and_wait(host.data(), data_, bytes(), cudaMemcpyDeviceToHost, stream);
  }

  /// Copies all elements from pinned memory without waiting.
  /// \par Stream behaviour
  /// Enqueued on `stream`; returns at once. `host` must live, unchanged, until the stream has
  /// passed the copy.
  /// \throws std::length_error when the sizes differ
  /// \throws cuda_error
  void copy_from_host_async(const pinned_buffer<T>& host, cudaStream_t stream) {
    detail::require_same_size(size_, host.span().size(), "copy_from_host_async");
    detail::copy_later(data_, host.data(), bytes(), cudaMemcpyHostToDevice, stream);
  }

  /// Copies all elements to pinned memory without waiting.
  /// \par Stream behaviour
  /// Enqueued on `stream`; returns at once. `host` is complete when the stream has passed the copy.
  /// \throws std::length_error when the sizes differ
  /// \throws cuda_error
  void copy_to_host_async(pinned_buffer<T>& host, cudaStream_t stream) const {
    detail::require_same_size(size_, host.span().size(), "copy_to_host_async");
    detail::copy_later(host.data(), data_, bytes(), cudaMemcpyDeviceToHost, stream);
  }

 private:
  std::int64_t size_ = 0;
  T* data_ = nullptr;
};

/// A new buffer with a copy of `values`.
/// \par Stream behaviour
/// Synchronous, on the default stream.
/// \throws out_of_memory, cuda_error
template <class T>
device_buffer<T> to_device(const std::vector<T>& values, call_site where = call_site::current()) {
  device_buffer<T> copy(static_cast<std::int64_t>(values.size()), where);
  copy.copy_from_host(std::span<const T>(values));
  return copy;
}

/// The elements of `buffer` in a new vector.
/// \par Stream behaviour
/// Ordered in `stream`, and waits for that stream.
/// \throws cuda_error
template <class T>
std::vector<T> to_host(const device_buffer<T>& buffer, cudaStream_t stream = nullptr) {
  std::vector<T> values(static_cast<std::size_t>(buffer.size()));
  buffer.copy_to_host(std::span<T>(values), stream);
  return values;
}

}  // namespace coalesce

/// @}
