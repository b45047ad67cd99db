#include "arrays.h"

#include <algorithm>
#include <mutex>
#include <unordered_set>

#include "errors.h"
#include "memory.h"
#include "streams.h"

namespace cpu_device {
namespace {

struct Arrays {
  std::mutex mutex;
  std::unordered_set<const cudaArray*> alive;
};

Arrays& arrays() {
  static Arrays once;
  return once;
}

}  // namespace

size_t element_bytes(const cudaChannelFormatDesc& format) {
  const int bits[] = {format.x, format.y, format.z, format.w};
  if (bits[0] != 8 && bits[0] != 16 && bits[0] != 32) return 0;
  if (format.f == cudaChannelFormatKindFloat && bits[0] == 8) return 0;
  if (static_cast<unsigned>(format.f) > cudaChannelFormatKindFloat) return 0;
  int count = 0;
  while (count < 4 && bits[count] == bits[0]) ++count;
  for (int i = count; i < 4; ++i) {
    if (bits[i]) return 0;
  }
  if (count == 3) return 0;
  return static_cast<size_t>(count * bits[0] / 8);
}

bool is_array(const cudaArray* array) {
  std::lock_guard lock(arrays().mutex);
  return arrays().alive.count(array) != 0;
}

namespace {

/// One side of a three-dimensional copy.
struct Side {
  char* base;
  size_t pitch, slice_bytes;
};

/// False when the description names neither or both kinds of place, or reaches beyond an array.
bool describe(Side* side, cudaArray_t array, cudaPitchedPtr pointer, cudaPos at, cudaExtent bytes) {
  if (!array == !pointer.ptr) return false;
  if (!array) {
    side->base =
        static_cast<char*>(pointer.ptr) + (at.z * pointer.ysize + at.y) * pointer.pitch + at.x;
    side->pitch = pointer.pitch;
    side->slice_bytes = pointer.ysize * pointer.pitch;
    return true;
  }
  if (!is_array(array)) return false;
  const size_t x = at.x * array->element_bytes;
  if (x + bytes.width > array->extent.width * array->element_bytes ||
      at.y + bytes.height > array->rows() || at.z + bytes.depth > array->slices()) {
    return false;
  }
  *side = {array->at(x, at.y, at.z), array->pitch, array->rows() * array->pitch};
  return true;
}

/// @param copy  copies one slice: target, pitch, source, pitch, width, height.
template <class CopySlice>
cudaError_t copy_3d(const cudaMemcpy3DParms* p, CopySlice copy) {
  if (!p) return record(cudaErrorInvalidValue);
  cudaExtent bytes = p->extent;  // of an array the width counts elements
  const cudaArray* array = p->srcArray ? p->srcArray : p->dstArray;
  if (array && !is_array(array)) return record(cudaErrorInvalidValue);
  if (array) bytes.width *= array->element_bytes;
  Side from{}, to{};
  if (!describe(&from, p->srcArray, p->srcPtr, p->srcPos, bytes) ||
      !describe(&to, p->dstArray, p->dstPtr, p->dstPos, bytes)) {
    return record(cudaErrorInvalidValue);
  }
  for (size_t z = 0; z < bytes.depth; ++z) {
    const cudaError_t error =
        copy(to.base + z * to.slice_bytes, to.pitch, from.base + z * from.slice_bytes, from.pitch,
             bytes.width, bytes.height);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

bool inside(cudaArray_const_t array, size_t x_bytes, size_t y, size_t width, size_t height) {
  return is_array(array) && x_bytes + width <= array->extent.width * array->element_bytes &&
         y + height <= array->rows();
}

/// Is there a texture of this size, by the properties of the GPU that is shown?
bool fits(const cudaExtent& extent, bool layered) {
  cudaDeviceProp p;
  cudaGetDeviceProperties(&p, 0);
  const auto at_most = [](size_t size, int limit) { return size <= static_cast<size_t>(limit); };
  if (layered && !extent.height) {
    return at_most(extent.width, p.maxTexture1DLayered[0]) &&
           at_most(extent.depth, p.maxTexture1DLayered[1]);
  }
  if (layered) {
    return at_most(extent.width, p.maxTexture2DLayered[0]) &&
           at_most(extent.height, p.maxTexture2DLayered[1]) &&
           at_most(extent.depth, p.maxTexture2DLayered[2]);
  }
  if (extent.depth) {
    return at_most(extent.width, p.maxTexture3D[0]) && at_most(extent.height, p.maxTexture3D[1]) &&
           at_most(extent.depth, p.maxTexture3D[2]);
  }
  if (extent.height) {
    return at_most(extent.width, p.maxTexture2D[0]) && at_most(extent.height, p.maxTexture2D[1]);
  }
  return at_most(extent.width, p.maxTexture1D);
}

}  // namespace
}  // namespace cpu_device

using cpu_device::record;

extern "C" {

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                            cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}

cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* format,
                              cudaExtent extent, unsigned int flags) {
  if (const cudaError_t error = cpu_device::context_error()) return record(error);
  const bool layered = flags & cudaArrayLayered;  // the depth counts layers
  if (!array || !format || !extent.width || (!layered && extent.depth && !extent.height) ||
      (layered && !extent.depth) || !cpu_device::fits(extent, layered)) {
    return record(cudaErrorInvalidValue);
  }
  const size_t bytes = cpu_device::element_bytes(*format);
  if (!bytes) return record(cudaErrorInvalidChannelDescriptor);
  if (flags & ~unsigned{cudaArraySurfaceLoadStore | cudaArrayLayered}) {
    return record(cudaErrorNotSupported);
  }
  auto made = new cudaArray{nullptr, *format, extent, bytes, 0, flags};
  made->pitch = (extent.width * bytes + 511) / 512 * 512;
  void* memory = cpu_device::allocate(made->pitch * made->rows() * made->slices(),
                                      cpu_device::MemoryKind::kDevice);
  if (!memory) {
    delete made;
    return record(cudaErrorMemoryAllocation);
  }
  made->memory = static_cast<char*>(memory);
  std::lock_guard lock(cpu_device::arrays().mutex);
  cpu_device::arrays().alive.insert(made);
  *array = made;
  return cudaSuccess;
}

cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* format, size_t width,
                            size_t height, unsigned int flags) {
  return cudaMalloc3DArray(array, format, cudaExtent{width, height, 0}, flags);
}

cudaError_t cudaFreeArray(cudaArray_t array) {
  if (const cudaError_t error = cpu_device::synchronise_device()) return error;
  if (!array) return cudaSuccess;
  {
    std::lock_guard lock(cpu_device::arrays().mutex);
    if (!cpu_device::arrays().alive.erase(array)) return record(cudaErrorInvalidValue);
  }
  cpu_device::release(array->memory, cpu_device::MemoryKind::kDevice);
  delete array;
  return cudaSuccess;
}

cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* format, cudaExtent* extent, unsigned int* flags,
                             cudaArray_t array) {
  if (!cpu_device::is_array(array)) return record(cudaErrorInvalidValue);
  if (format) *format = array->format;
  if (extent) *extent = array->extent;
  if (flags) *flags = array->flags;
  return cudaSuccess;
}

cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* format, cudaArray_const_t array) {
  if (!format || !cpu_device::is_array(array)) return record(cudaErrorInvalidValue);
  *format = array->format;
  return cudaSuccess;
}

// ---- copies: those of pitched memory do the work

cudaError_t cudaMemcpy2DToArray(cudaArray_t target, size_t x_bytes, size_t y, const void* source,
                                size_t pitch, size_t width, size_t height, cudaMemcpyKind kind) {
  if (!cpu_device::inside(target, x_bytes, y, width, height)) return record(cudaErrorInvalidValue);
  return cudaMemcpy2D(target->at(x_bytes, y, 0), target->pitch, source, pitch, width, height, kind);
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t target, size_t x_bytes, size_t y,
                                     const void* source, size_t pitch, size_t width, size_t height,
                                     cudaMemcpyKind kind, cudaStream_t stream) {
  if (!cpu_device::inside(target, x_bytes, y, width, height)) return record(cudaErrorInvalidValue);
  return cudaMemcpy2DAsync(target->at(x_bytes, y, 0), target->pitch, source, pitch, width, height,
                           kind, stream);
}

cudaError_t cudaMemcpy2DFromArray(void* target, size_t pitch, cudaArray_const_t source,
                                  size_t x_bytes, size_t y, size_t width, size_t height,
                                  cudaMemcpyKind kind) {
  if (!cpu_device::inside(source, x_bytes, y, width, height)) return record(cudaErrorInvalidValue);
  return cudaMemcpy2D(target, pitch, source->at(x_bytes, y, 0), source->pitch, width, height, kind);
}

cudaError_t cudaMemcpyToArray(cudaArray_t target, size_t x_bytes, size_t y, const void* source,
                              size_t bytes, cudaMemcpyKind kind) {
  if (!cpu_device::is_array(target)) return record(cudaErrorInvalidValue);
  const size_t row = target->extent.width * target->element_bytes;
  if (y * row + x_bytes + bytes > row * target->rows()) return record(cudaErrorInvalidValue);
  const char* from = static_cast<const char*>(source);
  while (bytes) {  // row by row; the first may begin in the middle
    const size_t piece = std::min(bytes, row - x_bytes);
    const cudaError_t error = cudaMemcpy(target->at(x_bytes, y, 0), from, piece, kind);
    if (error != cudaSuccess) return error;
    from += piece;
    bytes -= piece;
    x_bytes = 0;
    ++y;
  }
  return cudaSuccess;
}

cudaError_t cudaMemcpyFromArray(void* target, cudaArray_const_t source, size_t x_bytes, size_t y,
                                size_t bytes, cudaMemcpyKind kind) {
  if (!cpu_device::is_array(source)) return record(cudaErrorInvalidValue);
  const size_t row = source->extent.width * source->element_bytes;
  if (y * row + x_bytes + bytes > row * source->rows()) return record(cudaErrorInvalidValue);
  char* to = static_cast<char*>(target);
  while (bytes) {  // row by row; the first may begin in the middle
    const size_t piece = std::min(bytes, row - x_bytes);
    const cudaError_t error = cudaMemcpy(to, source->at(x_bytes, y, 0), piece, kind);
    if (error != cudaSuccess) return error;
    to += piece;
    bytes -= piece;
    x_bytes = 0;
    ++y;
  }
  return cudaSuccess;
}

cudaError_t cudaMemcpy2DFromArrayAsync(void* target, size_t pitch, cudaArray_const_t source,
                                       size_t x_bytes, size_t y, size_t width, size_t height,
                                       cudaMemcpyKind kind, cudaStream_t stream) {
  if (!cpu_device::inside(source, x_bytes, y, width, height)) return record(cudaErrorInvalidValue);
  return cudaMemcpy2DAsync(target, pitch, source->at(x_bytes, y, 0), source->pitch, width, height,
                           kind, stream);
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t target, size_t target_x_bytes, size_t target_y,
                                     cudaArray_const_t source, size_t x_bytes, size_t y,
                                     size_t width, size_t height, cudaMemcpyKind kind) {
  if (!cpu_device::inside(target, target_x_bytes, target_y, width, height)) {
    return record(cudaErrorInvalidValue);
  }
  return cudaMemcpy2DFromArray(target->at(target_x_bytes, target_y, 0), target->pitch, source,
                               x_bytes, y, width, height, kind);
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent) {
  if (!pointer) return record(cudaErrorInvalidValue);
  *pointer = {nullptr, 0, extent.width, extent.height};
  return cudaMallocPitch(&pointer->ptr, &pointer->pitch, extent.width,
                         extent.height * extent.depth);
}

cudaError_t cudaMemset3DAsync(cudaPitchedPtr pointer, int value, cudaExtent extent,
                              cudaStream_t stream) {
  for (size_t z = 0; z < extent.depth; ++z) {
    char* slice = static_cast<char*>(pointer.ptr) + z * pointer.ysize * pointer.pitch;
    const cudaError_t error =
        cudaMemset2DAsync(slice, pointer.pitch, value, extent.width, extent.height, stream);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

cudaError_t cudaMemset3D(cudaPitchedPtr pointer, int value, cudaExtent extent) {
  return cudaMemset3DAsync(pointer, value, extent, nullptr);
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* p) {
  return cpu_device::copy_3d(p, [&](void* to, size_t to_pitch, const void* from, size_t from_pitch,
                                    size_t width, size_t height) {
    return cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, p->kind);
  });
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* p, cudaStream_t stream) {
  return cpu_device::copy_3d(p, [&](void* to, size_t to_pitch, const void* from, size_t from_pitch,
                                    size_t width, size_t height) {
    return cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, p->kind, stream);
  });
}

}  // extern "C"
