/// @file
/// Scopes and memory orders of CUDA's synchronisation objects. Here every scope is as strong as
/// the system's and every order as strong as sequential consistency.
#pragma once
#pragma GCC system_header
#include <cuda_runtime.h>

#include <atomic>

namespace cuda {

enum thread_scope {
  thread_scope_system = 0,
  thread_scope_device = 1,
  thread_scope_block = 2,
  thread_scope_thread = 10
};

using ::std::memory_order;
using ::std::memory_order_acq_rel;
using ::std::memory_order_acquire;
using ::std::memory_order_consume;
using ::std::memory_order_relaxed;
using ::std::memory_order_release;
using ::std::memory_order_seq_cst;

/// A size in bytes that promises the alignment of both addresses.
template <size_t Alignment>
struct aligned_size_t {
  static constexpr size_t align = Alignment;
  size_t value;
  CPU_DEVICE_FUNCTION explicit constexpr aligned_size_t(size_t bytes) : value(bytes) {}
  CPU_DEVICE_FUNCTION constexpr operator size_t() const { return value; }
};

namespace std {
using ::cuda::memory_order;
using ::cuda::memory_order_acq_rel;
using ::cuda::memory_order_acquire;
using ::cuda::memory_order_consume;
using ::cuda::memory_order_relaxed;
using ::cuda::memory_order_release;
using ::cuda::memory_order_seq_cst;
}  // namespace std

}  // namespace cuda
