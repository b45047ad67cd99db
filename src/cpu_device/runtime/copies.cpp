/// @file
/// Copies and fills, with CUDA's checks of kind, direction and size.
#include <cuda_runtime.h>

#include <cstring>
#include <memory>
#include <string>

#include "capture.h"
#include "copies.h"
#include "copy_checks.h"
#include "errors.h"
#include "kernel.h"
#include "memory.h"
#include "operations.h"
#include "problems.h"
#include "shadow.h"
#include "streams.h"

namespace {

using cpu_device::record;

bool on_device(const void* pointer, size_t bytes) {
  return cpu_device::device_can_access(pointer, bytes);
}

/// Is this a place of the device that the host cannot reach (so not pinned, not managed)?
bool device_only(const void* pointer) {
  if (const auto found = cpu_device::allocation_of(pointer)) {
    return cpu_device::device_only(found->kind);
  }
  const auto where = reinterpret_cast<uintptr_t>(pointer);
  if (cpu_device::in_arena(where)) return true;  // freed, or beyond an allocation
  const auto* variable = cpu_device::variable_at(where);
  return variable && variable->kind != cpu_device::VariableKind::kManaged;
}

/// What CUDA says to a copy of `bytes` bytes. Host memory on the device's side is an invalid value.
/// Device memory on the host's side is copied all the same, as on an H200, whose driver asks the
/// address; on other machines it may not be, so it is reported.
cudaError_t check(const void* target, const void* source, size_t bytes, cudaMemcpyKind kind) {
  if (static_cast<unsigned>(kind) > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
  if (bytes == 0) return cudaSuccess;
  if (!target || !source) {
    cpu_device::report_wrong_copy("a copy of " + std::to_string(bytes) + " bytes whose " +
                                  (target ? "source" : "target") + " is null");
    return cudaErrorInvalidValue;
  }
  const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice ||
                         (kind == cudaMemcpyDefault && device_only(target));
  const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice ||
                           (kind == cudaMemcpyDefault && device_only(source));
  const bool here_target = on_device(target, bytes), here_source = on_device(source, bytes);
  const bool bad_target = to_device ? !here_target : device_only(target);
  const bool bad_source = from_device ? !here_source : device_only(source);
  if (!bad_target && !bad_source) return cudaSuccess;
  cpu_device::report_wrong_copy(
      "a copy of " + std::to_string(bytes) + " bytes whose " +
      (bad_target ? "target " + cpu_device::wrong_side(target, bytes, to_device)
                  : "source " + cpu_device::wrong_side(source, bytes, from_device)));
  const bool reachable = (!bad_target || here_target) && (!bad_source || here_source);
  return reachable ? cudaSuccess : cudaErrorInvalidValue;
}

cpu_device::Shadow* shadow_at(const void* pointer) {
  const auto found = cpu_device::allocation_of(pointer);
  return found ? found->shadow.get() : nullptr;
}

/// Copies bytes, and what is known of them.
void move(void* target, const void* source, size_t bytes) {
  if (!bytes) return;
  std::memmove(target, source, bytes);
  if (!cpu_device::checking()) return;
  if (cpu_device::Shadow* shadow = shadow_at(target)) {
    shadow->copy_written(reinterpret_cast<uintptr_t>(target), shadow_at(source),
                         reinterpret_cast<uintptr_t>(source), bytes);
  }
}

/// The value that the functions of the API fill with: one byte.
unsigned int byte(int value) {
  return static_cast<unsigned char>(value);
}

/// @param element  bytes of the value that are repeated: 1, 2 or 4.
void set(char* target, unsigned int value, size_t element, size_t bytes) {
  if (!bytes) return;
  if (element == 1) std::memset(target, static_cast<int>(value), bytes);
  for (size_t at = 0; element > 1 && at < bytes; at += element) {
    std::memcpy(target + at, &value, element);
  }
  if (!cpu_device::checking()) return;
  if (cpu_device::Shadow* shadow = shadow_at(target)) {
    shadow->mark_written(reinterpret_cast<uintptr_t>(target), bytes);
  }
}

bool pageable(const void* pointer) {
  const auto where = reinterpret_cast<uintptr_t>(pointer);
  return !cpu_device::in_arena(where) && !cpu_device::variable_at(where);
}

/// One copy of rows of bytes.
struct Copy {
  char* target;
  size_t target_pitch;
  const char* source;
  size_t source_pitch, width, height;
  cudaMemcpyKind kind;
  cpu_device::Party caller;           // known when faults are looked for
  std::shared_ptr<char> staged = {};  // what pageable memory held when the copy was submitted

  void operator()() const {
    const char* from = staged ? staged.get() : source;
    const size_t from_pitch = staged ? width : source_pitch;
    if (kind == cudaMemcpyDeviceToHost)
      cpu_device::check_written(source, source_pitch, width, height, caller);
    for (size_t row = 0; row < height && width; ++row) {
      move(target + row * target_pitch, from + row * from_pitch, width);
      if (cpu_device::checking()) {
        const char* const read = staged ? nullptr : source + row * source_pitch;
        cpu_device::check_copy(target + row * target_pitch, read, width, caller);
      }
    }
  }
  void stage() {
    staged.reset(new char[width * height], std::default_delete<char[]>());
    for (size_t row = 0; row < height; ++row) {
      std::memcpy(staged.get() + row * width, source + row * source_pitch, width);
    }
  }
};

/// A copy from pageable memory has read its source when the call returns; one to pageable memory is
/// done then. One to pinned memory leaves nonsense there until it is performed.
cudaError_t submit(Copy copy, cudaStream_t stream, bool at_once) {
  if (!copy.width || !copy.height) return cudaSuccess;
  const bool captured = cpu_device::is_capturing(stream);
  const bool wait = at_once || (!captured && pageable(copy.target));
  if (!wait && !captured && pageable(copy.source)) copy.stage();
  const auto host_side = [&](const char* address, size_t pitch) {
    const auto found = cpu_device::allocation_of(address);
    const bool host = found && !cpu_device::device_only(found->kind);
    return cpu_device::HostMemory{const_cast<char*>(address), pitch, copy.width,
                                  host ? copy.height : 0};
  };
  cpu_device::Operation operation(copy);
  operation.uses = {host_side(copy.source, copy.source_pitch),
                    host_side(copy.target, copy.target_pitch)};
  const auto target = cpu_device::allocation_of(copy.target);
  if (!wait && target && target->kind == cpu_device::MemoryKind::kPinned) {
    operation.writes = operation.uses.back();
  }
  const auto source = cpu_device::allocation_of(copy.source);
  if (!wait && source && source->kind == cpu_device::MemoryKind::kPinned) {
    operation.reads = operation.uses.front();
  }
  operation.caller = copy.caller;
  operation.type = cudaGraphNodeTypeMemcpy;
  if (const cudaError_t error = cpu_device::submit(stream, std::move(operation))) return error;
  return wait ? cpu_device::synchronise_stream(stream) : cudaSuccess;
}

cpu_device::Party caller() {
  return cpu_device::checking() ? cpu_device::this_call() : cpu_device::Party{};
}

cudaError_t copy(void* target, const void* source, size_t bytes, cudaMemcpyKind kind,
                 cudaStream_t stream, bool at_once = false) {
  if (const cudaError_t error = cpu_device::context_error()) return record(error);
  if (const cudaError_t error = check(target, source, bytes, kind)) return record(error);
  return record(submit({static_cast<char*>(target), bytes, static_cast<const char*>(source), bytes,
                        bytes, 1, kind, caller()},
                       stream, at_once));
}

cudaError_t copy_2d(void* target, size_t target_pitch, const void* source, size_t source_pitch,
                    size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream,
                    bool at_once = false) {
  if (const cudaError_t error = cpu_device::context_error()) return record(error);
  if (width > target_pitch || width > source_pitch) {  // (as an H200 answers)
    return record(height > 1 ? cudaErrorInvalidPitchValue : cudaErrorInvalidValue);
  }
  if (width && height) {
    const size_t last_row = height - 1;
    cudaError_t error = check(target, source, width, kind);
    if (error == cudaSuccess) {
      error = check(static_cast<char*>(target) + last_row * target_pitch,
                    static_cast<const char*>(source) + last_row * source_pitch, width, kind);
    }
    if (error) return record(error);
  }
  return record(submit({static_cast<char*>(target), target_pitch, static_cast<const char*>(source),
                        source_pitch, width, height, kind, caller()},
                       stream, at_once));
}

}  // namespace

cudaError_t cpu_device::fill(void* target, size_t pitch, unsigned int value, size_t element,
                             size_t width, size_t height, cudaStream_t stream) {
  if (const cudaError_t error = cpu_device::context_error()) return record(error);
  if (width > pitch && height > 1) return record(cudaErrorInvalidValue);
  if (width && height && !on_device(target, (height - 1) * pitch + width)) {
    cpu_device::report_wrong_copy(
        "a fill of " + std::to_string((height - 1) * pitch + width) + " bytes whose target " +
        cpu_device::wrong_side(target, (height - 1) * pitch + width, true));
    return record(cudaErrorInvalidValue);
  }
  cpu_device::Operation operation([=, caller = caller()] {
    for (size_t row = 0; row < height && width; ++row) {
      char* const start = static_cast<char*>(target) + row * pitch;
      set(start, value, element, width);
      if (cpu_device::checking()) cpu_device::check_copy(start, nullptr, width, caller);
    }
  });
  operation.type = cudaGraphNodeTypeMemset;
  return record(cpu_device::submit(stream, std::move(operation)));
}

namespace {

/// What a call that waits begins with.
cudaError_t may_wait() {
  return record(cpu_device::refuse_legacy_stream());
}

/// Between two places of the device even the plain copy does not wait.
bool within_device(const void* target, const void* source) {
  return device_only(target) && device_only(source);
}

/// The device address of byte `offset` of a symbol, or an error.
cudaError_t locate(char** address, const void* symbol, size_t bytes, size_t offset) {
  const cpu_device::Variable* variable = cpu_device::find_symbol(symbol);
  if (!variable) return cudaErrorInvalidSymbol;
  if (offset > variable->bytes || bytes > variable->bytes - offset) {
    cpu_device::report_wrong_copy("a copy of " + std::to_string(bytes) + " bytes at offset " +
                                  std::to_string(offset) + " of the variable " + variable->name +
                                  ", which has " + std::to_string(variable->bytes) + " bytes");
    return cudaErrorInvalidValue;
  }
  *address = variable->address + offset;
  return cudaSuccess;
}

/// The same for a copy; `never` is the kind that goes the other way.
cudaError_t locate(char** address, const void* symbol, size_t bytes, size_t offset,
                   cudaMemcpyKind kind, cudaMemcpyKind never) {
  if (kind == never) return cudaErrorInvalidMemcpyDirection;
  return locate(address, symbol, bytes, offset);
}

}  // namespace

extern "C" {

cudaError_t cudaMemcpy(void* target, const void* source, size_t bytes, cudaMemcpyKind kind) {
  if (const cudaError_t error = may_wait()) return error;
  return copy(target, source, bytes, kind, nullptr, !within_device(target, source));
}

cudaError_t cudaMemcpyAsync(void* target, const void* source, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return copy(target, source, bytes, kind, stream);
}

cudaError_t cudaMemcpyPeer(void* target, int target_device, const void* source, int source_device,
                           size_t bytes) {
  if (target_device != 0 || source_device != 0) return record(cudaErrorInvalidDevice);
  return cudaMemcpy(target, source, bytes, cudaMemcpyDeviceToDevice);
}

cudaError_t cudaMemcpyPeerAsync(void* target, int target_device, const void* source,
                                int source_device, size_t bytes, cudaStream_t stream) {
  if (target_device != 0 || source_device != 0) return record(cudaErrorInvalidDevice);
  return cudaMemcpyAsync(target, source, bytes, cudaMemcpyDeviceToDevice, stream);
}

cudaError_t cudaMemcpy2D(void* target, size_t target_pitch, const void* source, size_t source_pitch,
                         size_t width, size_t height, cudaMemcpyKind kind) {
  if (const cudaError_t error = may_wait()) return error;
  return copy_2d(target, target_pitch, source, source_pitch, width, height, kind, nullptr,
                 !within_device(target, source));
}

cudaError_t cudaMemcpy2DAsync(void* target, size_t target_pitch, const void* source,
                              size_t source_pitch, size_t width, size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream) {
  return copy_2d(target, target_pitch, source, source_pitch, width, height, kind, stream);
}

cudaError_t cudaMemset(void* target, int value, size_t bytes) {
  return cpu_device::fill(target, bytes, byte(value), 1, bytes, 1, nullptr);
}

cudaError_t cudaMemsetAsync(void* target, int value, size_t bytes, cudaStream_t stream) {
  return cpu_device::fill(target, bytes, byte(value), 1, bytes, 1, stream);
}

cudaError_t cudaMemset2D(void* target, size_t pitch, int value, size_t width, size_t height) {
  return cpu_device::fill(target, pitch, byte(value), 1, width, height, nullptr);
}

cudaError_t cudaMemset2DAsync(void* target, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
  return cpu_device::fill(target, pitch, byte(value), 1, width, height, stream);
}

cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* source, size_t bytes,
                                    size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
  char* address = nullptr;
  const cudaError_t error = locate(&address, symbol, bytes, offset, kind, cudaMemcpyDeviceToHost);
  if (error) return record(error);
  return copy(address, source, bytes, kind, stream);
}

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* source, size_t bytes, size_t offset,
                               cudaMemcpyKind kind) {
  if (const cudaError_t error = may_wait()) return error;
  char* address = nullptr;
  const cudaError_t error = locate(&address, symbol, bytes, offset, kind, cudaMemcpyDeviceToHost);
  if (error) return record(error);
  return copy(address, source, bytes, kind, nullptr, true);
}

cudaError_t cudaMemcpyFromSymbolAsync(void* target, const void* symbol, size_t bytes, size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t stream) {
  char* address = nullptr;
  const cudaError_t error = locate(&address, symbol, bytes, offset, kind, cudaMemcpyHostToDevice);
  if (error) return record(error);
  return copy(target, address, bytes, kind, stream);
}

cudaError_t cudaMemcpyFromSymbol(void* target, const void* symbol, size_t bytes, size_t offset,
                                 cudaMemcpyKind kind) {
  if (const cudaError_t error = may_wait()) return error;
  char* address = nullptr;
  const cudaError_t error = locate(&address, symbol, bytes, offset, kind, cudaMemcpyHostToDevice);
  if (error) return record(error);
  return copy(target, address, bytes, kind, nullptr, true);
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
