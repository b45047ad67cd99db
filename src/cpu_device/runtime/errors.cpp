#include "errors.h"

#include <atomic>
#include <utility>

#include "printf_buffer.h"
#include "problems.h"
#include "refused_launches.h"

namespace cpu_device {
namespace {

thread_local cudaError_t last = cudaSuccess;
std::atomic<int> pending{cudaSuccess};    // happened in a kernel, not seen by the host yet
std::atomic<int> permanent{cudaSuccess};  // seen: every call fails with it

}  // namespace

cudaError_t record(cudaError_t error) {
  if (error != cudaSuccess) last = error;
  return error;
}

cudaError_t context_error() {
  return static_cast<cudaError_t>(permanent.load());
}

void fail_in_kernel(cudaError_t error) {
  int none = cudaSuccess;
  pending.compare_exchange_strong(none, error);  // the first failure counts
}

bool kernel_failed() {
  return pending != cudaSuccess;
}

cudaError_t synchronise() {
  flush_printf();
  say_problems();
  if (pending != cudaSuccess) permanent = pending.load();
  return record(context_error());
}

void clear_errors() {
  pending = cudaSuccess;
  permanent = cudaSuccess;
  last = cudaSuccess;
}

}  // namespace cpu_device

extern "C" {

cudaError_t cudaGetLastError() {
  cpu_device::error_was_read();
  return std::exchange(cpu_device::last, cudaSuccess);
}

cudaError_t cudaPeekAtLastError() {
  cpu_device::error_was_read();
  return cpu_device::last;
}

const char* cudaGetErrorName(cudaError_t error) {
  switch (static_cast<int>(error)) {
#define CPU_DEVICE_ERROR(name, value, text) \
  case value:                               \
    return #name;
#include <cpu_device/errors.inc>
#undef CPU_DEVICE_ERROR
    default:
      return "unrecognized error code";
  }
}

const char* cudaGetErrorString(cudaError_t error) {
  switch (static_cast<int>(error)) {
#define CPU_DEVICE_ERROR(name, value, text) \
  case value:                               \
    return text;
#include <cpu_device/errors.inc>
#undef CPU_DEVICE_ERROR
    default:
      return "unrecognized error code";
  }
}

}  // extern "C"
