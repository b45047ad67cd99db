/// @file
/// The API's allocations and their ends.
#include <cuda_runtime.h>

#include <string>

#include "capture.h"
#include "errors.h"
#include "host_guard.h"
#include "kernel.h"
#include "memory.h"
#include "problems.h"
#include "streams.h"

namespace {

using cpu_device::MemoryKind;
using cpu_device::record;

cudaError_t allocate_any(void** pointer, size_t bytes, MemoryKind kind) {
  if (const cudaError_t error = cpu_device::context_error()) return record(error);
  if (!pointer) return record(cudaErrorInvalidValue);
  *pointer = nullptr;
  if (bytes == 0) return cudaSuccess;
  *pointer = cpu_device::allocate(bytes, kind);
  return record(*pointer ? cudaSuccess : cudaErrorMemoryAllocation);
}

/// The same for calls that a capture of a stream may forbid.
cudaError_t allocate_for(void** pointer, size_t bytes, MemoryKind kind) {
  if (const cudaError_t error = cpu_device::refuse_unsafe_call()) return record(error);
  return allocate_any(pointer, bytes, kind);
}

void report_wrong_free(void* pointer, bool pinned) {
  if (!cpu_device::checking()) return;
  const char* const name = pinned ? "cudaFreeHost" : "cudaFree";
  const auto near = cpu_device::allocation_near(reinterpret_cast<uintptr_t>(pointer));
  const bool begins = near && near->base == reinterpret_cast<uintptr_t>(pointer);
  cpu_device::Problem problem{"invalid free", "", cpu_device::this_call(), {}, ""};
  if (begins && near->freed) {
    problem.kind = "double free";
    problem.message = std::string(name) + " of memory that has been freed before";
  } else if (begins && near->kind == MemoryKind::kHeap) {
    problem.message =
        std::string(name) + " of memory that a kernel allocated: only a kernel frees it";
  } else if (begins) {
    problem.message = std::string(name) + " of memory that " +
                      (pinned ? "was not allocated as pinned: cudaFree frees it"
                              : "was allocated as pinned: cudaFreeHost frees it");
  } else if (cpu_device::in_arena(reinterpret_cast<uintptr_t>(pointer))) {
    problem.message = std::string(name) + " of an address that no allocation begins with";
  } else {
    problem.message = std::string(name) + " of memory that the CUDA runtime did not allocate";
  }
  cpu_device::add_problem(std::move(problem));
}

cudaError_t release_for(void* pointer, bool pinned) {
  if (const cudaError_t error = cpu_device::refuse_unsafe_call()) return record(error);
  if (pinned) cpu_device::check_early_free(pointer);
  if (const cudaError_t error = cpu_device::synchronise_device()) return error;
  if (!pointer) return cudaSuccess;
  if (cpu_device::release(pointer, pinned ? MemoryKind::kPinned : MemoryKind::kDevice)) {
    return cudaSuccess;
  }
  report_wrong_free(pointer, pinned);
  return record(cudaErrorInvalidValue);
}

}  // namespace

cudaError_t cpu_device::allocate_device(void** pointer, size_t bytes) {
  return allocate_any(pointer, bytes, MemoryKind::kDevice);
}

extern "C" {

cudaError_t cudaMalloc(void** pointer, size_t bytes) {
  return allocate_for(pointer, bytes, MemoryKind::kDevice);
}

cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
  if (!pitch) return record(cudaErrorInvalidValue);
  *pitch = (width + 511) / 512 * 512;  // bytes: the texture alignment of all GPUs known here
  if (height && *pitch > SIZE_MAX / height) return record(cudaErrorMemoryAllocation);
  return allocate_for(pointer, *pitch * height, MemoryKind::kDevice);
}

cudaError_t cudaMallocManaged(void** pointer, size_t bytes, unsigned int flags) {
  if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost) {
    return record(cudaErrorInvalidValue);
  }
  return allocate_for(pointer, bytes, MemoryKind::kManaged);
}

cudaError_t cudaMallocHost(void** pointer, size_t bytes) {
  return allocate_for(pointer, bytes, MemoryKind::kPinned);
}

cudaError_t cudaHostAlloc(void** pointer, size_t bytes, unsigned int) {
  return allocate_for(pointer, bytes, MemoryKind::kPinned);
}

cudaError_t cudaFree(void* pointer) {
  return release_for(pointer, false);
}
cudaError_t cudaFreeHost(void* pointer) {
  return release_for(pointer, true);
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  if (const cudaError_t error = cpu_device::context_error()) return record(error);
  if (!pointer) return cudaSuccess;
  const auto found = cpu_device::allocation_of(pointer);
  if (!found || found->base != reinterpret_cast<uintptr_t>(pointer) ||
      found->kind == MemoryKind::kPinned || found->kind == MemoryKind::kHeap) {
    report_wrong_free(pointer, false);
    return record(cudaErrorInvalidValue);
  }
  cpu_device::Operation free([pointer] { cpu_device::release(pointer, MemoryKind::kDevice); });
  free.must_run = true;
  return record(cpu_device::submit(stream, std::move(free)));
}

cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  if (const cudaError_t error = cpu_device::context_error()) return record(error);
  if (free) *free = cpu_device::memory_free();
  if (total) *total = cpu_device::memory_total();
  return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  if (const cudaError_t error = cpu_device::context_error()) return record(error);
  if (!attributes) return record(cudaErrorInvalidValue);
  void* address = const_cast<void*>(pointer);
  *attributes = {cudaMemoryTypeUnregistered, cudaInvalidDeviceId, nullptr, nullptr};
  if (const auto found = cpu_device::allocation_of(pointer)) {
    const bool device = cpu_device::device_only(found->kind);
    attributes->type = device                                ? cudaMemoryTypeDevice
                       : found->kind == MemoryKind::kManaged ? cudaMemoryTypeManaged
                                                             : cudaMemoryTypeHost;
    attributes->device = 0;
    attributes->devicePointer = address;
    attributes->hostPointer = device ? nullptr : address;
  } else if (cpu_device::is_registered(pointer, 1)) {
    *attributes = {cudaMemoryTypeHost, 0, address, address};
  } else if (const auto* variable = cpu_device::variable_at(reinterpret_cast<uintptr_t>(pointer))) {
    const bool managed = variable->kind == cpu_device::VariableKind::kManaged;
    *attributes = {managed ? cudaMemoryTypeManaged : cudaMemoryTypeDevice, 0, address,
                   managed ? address : nullptr};
  }
  return cudaSuccess;
}

cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, cudaMemLocation, unsigned int,
                                 cudaStream_t) {
  const auto found = cpu_device::allocation_of(pointer, bytes);
  return record(found && found->kind == MemoryKind::kManaged ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* pointer, size_t bytes,
                                     unsigned int flags) {
  if (!cpu_device::valid_stream(stream)) return record(cudaErrorInvalidResourceHandle);
  const bool known =
      flags == cudaMemAttachGlobal || flags == cudaMemAttachHost || flags == cudaMemAttachSingle;
  const auto found = cpu_device::allocation_of(pointer, bytes ? bytes : 1);
  const bool managed = found && found->kind == MemoryKind::kManaged;
  return record(known && managed ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise, cudaMemLocation) {
  const auto found = cpu_device::allocation_of(pointer, bytes);
  return record(found && found->kind == MemoryKind::kManaged ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned int flags) {
  const auto found = cpu_device::allocation_of(host);
  const bool pinned =
      found ? !cpu_device::device_only(found->kind) : cpu_device::is_registered(host, 1);
  if (!device || flags || !pinned) return record(cudaErrorInvalidValue);
  *device = host;
  return cudaSuccess;
}

}  // extern "C"
