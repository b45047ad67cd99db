/// @file
/// Surface objects: CUDA arrays that kernels read and write.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>

#include "arrays.h"
#include "errors.h"
#include "handles.h"
#include "streams.h"

extern "C" void* cpu_device_surface(cudaSurfaceObject_t object, int x, int y, int z, size_t bytes,
                                    int mode);
extern "C" [[noreturn]] void cpu_device_trap();

namespace {

using cpu_device::record;

struct Surface {
  cudaResourceDesc resource;
};

const Surface* find(cudaSurfaceObject_t object) {
  const auto* surface = reinterpret_cast<const Surface*>(object);
  return cpu_device::alive(surface) ? surface : nullptr;
}

}  // namespace

extern "C" {

void* cpu_device_surface(cudaSurfaceObject_t object, int x, int y, int z, size_t bytes, int mode) {
  const cudaArray& array = *reinterpret_cast<const Surface*>(object)->resource.res.array.array;
  const auto element = static_cast<long>(bytes);
  const long size[] = {static_cast<long>(array.extent.width * array.element_bytes) / element,
                       static_cast<long>(array.rows()), static_cast<long>(array.slices())};
  long place[] = {x / element, y, z};
  for (int d = 0; d < 3; ++d) {
    if (place[d] >= 0 && place[d] < size[d] && (d || x >= 0)) continue;
    if (mode == cudaBoundaryModeTrap) {
      std::fprintf(stderr, "cpu_device: an access at (%d, %d, %d) is outside of a surface\n", x, y,
                   z);
      cpu_device_trap();
    }
    if (mode != cudaBoundaryModeClamp) return nullptr;
    place[d] = std::clamp(place[d], 0L, size[d] - 1);
  }
  return array.at(static_cast<size_t>(place[0] * element), static_cast<size_t>(place[1]),
                  static_cast<size_t>(place[2]));
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* object, const cudaResourceDesc* resource) {
  if (const cudaError_t error = cpu_device::context_error()) return record(error);
  if (!object || !resource || resource->resType != cudaResourceTypeArray) {
    return record(cudaErrorInvalidValue);
  }
  const cudaArray* array = resource->res.array.array;
  if (!cpu_device::is_array(array) || !(array->flags & cudaArraySurfaceLoadStore)) {
    return record(cudaErrorInvalidValue);
  }
  auto* surface = cpu_device::make<Surface>();
  surface->resource = *resource;
  *object = reinterpret_cast<cudaSurfaceObject_t>(surface);
  return cudaSuccess;
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) {
  if (const cudaError_t error = cpu_device::synchronise_device()) return error;
  const Surface* surface = find(object);
  if (!surface) return record(cudaErrorInvalidValue);
  cpu_device::forget(surface);
  delete surface;
  return cudaSuccess;
}

cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* resource,
                                             cudaSurfaceObject_t object) {
  const Surface* surface = find(object);
  if (!resource || !surface) return record(cudaErrorInvalidValue);
  *resource = surface->resource;
  return cudaSuccess;
}

}  // extern "C"
