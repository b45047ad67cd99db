/// @file
/// Copies and fills, with CUDA's checks of kind, direction and size.
#include <cuda_runtime.h>

#include <cstring>

#include "errors.h"
#include "kernel.h"
#include "memory.h"
#include "streams.h"

namespace {

using cpu_device::record;

bool on_device(const void* pointer, size_t bytes) {
  return cpu_device::device_can_access(pointer, bytes);
}

/// Is this a place of the device that the host cannot reach (so not pinned, not managed)?
bool device_only(const void* pointer) {
  if (const auto found = cpu_device::allocation_of(pointer)) {
    return found->kind == cpu_device::MemoryKind::kDevice;
  }
  const auto where = reinterpret_cast<uintptr_t>(pointer);
  if (cpu_device::in_arena(where)) return true;  // freed, or beyond an allocation
  const auto* variable = cpu_device::variable_at(where);
  return variable && variable->kind != cpu_device::VariableKind::kManaged;
}

/// What CUDA says to a copy of `bytes` bytes; memory of the wrong side is an invalid value.
cudaError_t check(const void* target, const void* source, size_t bytes, cudaMemcpyKind kind) {
  if (static_cast<unsigned>(kind) > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
  if (bytes == 0) return cudaSuccess;
  if (!target || !source) return cudaErrorInvalidValue;
  const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice ||
                         (kind == cudaMemcpyDefault && device_only(target));
  const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice ||
                           (kind == cudaMemcpyDefault && device_only(source));
  if (to_device ? !on_device(target, bytes) : device_only(target)) return cudaErrorInvalidValue;
  if (from_device ? !on_device(source, bytes) : device_only(source)) return cudaErrorInvalidValue;
  return cudaSuccess;
}

cudaError_t copy(void* target, const void* source, size_t bytes, cudaMemcpyKind kind,
                 cudaStream_t stream) {
  if (const cudaError_t error = cpu_device::context_error()) return record(error);
  if (const cudaError_t error = check(target, source, bytes, kind)) return record(error);
  return record(cpu_device::submit(stream, [=] {
    if (bytes) std::memmove(target, source, bytes);
  }));
}

cudaError_t copy_2d(void* target, size_t target_pitch, const void* source, size_t source_pitch,
                    size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  if (const cudaError_t error = cpu_device::context_error()) return record(error);
  if (width > target_pitch || width > source_pitch) return record(cudaErrorInvalidPitchValue);
  if (width && height) {
    const size_t last_row = height - 1;
    cudaError_t error = check(target, source, width, kind);
    if (error == cudaSuccess) {
      error = check(static_cast<char*>(target) + last_row * target_pitch,
                    static_cast<const char*>(source) + last_row * source_pitch, width, kind);
    }
    if (error) return record(error);
  }
  return record(cpu_device::submit(stream, [=] {
    for (size_t row = 0; row < height && width; ++row) {
      std::memmove(static_cast<char*>(target) + row * target_pitch,
                   static_cast<const char*>(source) + row * source_pitch, width);
    }
  }));
}

cudaError_t fill(void* target, size_t pitch, int value, size_t width, size_t height,
                 cudaStream_t stream) {
  if (const cudaError_t error = cpu_device::context_error()) return record(error);
  if (width > pitch) return record(cudaErrorInvalidPitchValue);
  if (width && height && !on_device(target, (height - 1) * pitch + width)) {
    return record(cudaErrorInvalidValue);
  }
  return record(cpu_device::submit(stream, [=] {
    for (size_t row = 0; row < height && width; ++row) {
      std::memset(static_cast<char*>(target) + row * pitch, value, width);
    }
  }));
}

/// A synchronous call waits first; afterwards it reports a failed kernel.
template <class Action>
cudaError_t synchronously(Action action) {
  if (cpu_device::anything_capturing()) return record(cudaErrorStreamCaptureImplicit);
  if (const cudaError_t error = cpu_device::synchronise()) return error;
  return action();
}

/// The device address of byte `offset` of a symbol, or an error.
cudaError_t locate(char** address, const void* symbol, size_t bytes, size_t offset) {
  const cpu_device::Variable* variable = cpu_device::find_symbol(symbol);
  if (!variable) return cudaErrorInvalidSymbol;
  if (offset > variable->bytes || bytes > variable->bytes - offset) return cudaErrorInvalidValue;
  *address = variable->address + offset;
  return cudaSuccess;
}

}  // namespace

extern "C" {

cudaError_t cudaMemcpy(void* target, const void* source, size_t bytes, cudaMemcpyKind kind) {
  return synchronously([&] { return copy(target, source, bytes, kind, nullptr); });
}

cudaError_t cudaMemcpyAsync(void* target, const void* source, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return copy(target, source, bytes, kind, stream);
}

cudaError_t cudaMemcpy2D(void* target, size_t target_pitch, const void* source, size_t source_pitch,
                         size_t width, size_t height, cudaMemcpyKind kind) {
  return synchronously([&] {
    return copy_2d(target, target_pitch, source, source_pitch, width, height, kind, nullptr);
  });
}

cudaError_t cudaMemcpy2DAsync(void* target, size_t target_pitch, const void* source,
                              size_t source_pitch, size_t width, size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream) {
  return copy_2d(target, target_pitch, source, source_pitch, width, height, kind, stream);
}

cudaError_t cudaMemset(void* target, int value, size_t bytes) {
  return fill(target, bytes, value, bytes, 1, nullptr);
}

cudaError_t cudaMemsetAsync(void* target, int value, size_t bytes, cudaStream_t stream) {
  return fill(target, bytes, value, bytes, 1, stream);
}

cudaError_t cudaMemset2D(void* target, size_t pitch, int value, size_t width, size_t height) {
  return fill(target, pitch, value, width, height, nullptr);
}

cudaError_t cudaMemset2DAsync(void* target, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
  return fill(target, pitch, value, width, height, stream);
}

cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* source, size_t bytes,
                                    size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
  char* address = nullptr;
  if (const cudaError_t error = locate(&address, symbol, bytes, offset)) return record(error);
  return copy(address, source, bytes, kind, stream);
}

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* source, size_t bytes, size_t offset,
                               cudaMemcpyKind kind) {
  return synchronously(
      [&] { return cudaMemcpyToSymbolAsync(symbol, source, bytes, offset, kind, nullptr); });
}

cudaError_t cudaMemcpyFromSymbolAsync(void* target, const void* symbol, size_t bytes, size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t stream) {
  char* address = nullptr;
  if (const cudaError_t error = locate(&address, symbol, bytes, offset)) return record(error);
  return copy(target, address, bytes, kind, stream);
}

cudaError_t cudaMemcpyFromSymbol(void* target, const void* symbol, size_t bytes, size_t offset,
                                 cudaMemcpyKind kind) {
  return synchronously(
      [&] { return cudaMemcpyFromSymbolAsync(target, symbol, bytes, offset, kind, nullptr); });
}

cudaError_t cudaGetSymbolAddress(void** pointer, const void* symbol) {
  if (!pointer) return record(cudaErrorInvalidValue);
  char* address = nullptr;
  if (const cudaError_t error = locate(&address, symbol, 0, 0)) return record(error);
  *pointer = address;
  return cudaSuccess;
}

cudaError_t cudaGetSymbolSize(size_t* bytes, const void* symbol) {
  const cpu_device::Variable* variable = cpu_device::find_symbol(symbol);
  if (!bytes) return record(cudaErrorInvalidValue);
  if (!variable) return record(cudaErrorInvalidSymbol);
  *bytes = variable->bytes;
  return cudaSuccess;
}

}  // extern "C"
