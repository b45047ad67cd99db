/// @file
/// Reading and writing CUDA arrays in kernels. x counts bytes. Outside of the array a read gives
/// zero and a write is lost (cudaBoundaryModeZero), the nearest element is read (Clamp), or the
/// kernel ends with an error (Trap, the default).
#pragma once
#pragma GCC system_header

extern "C" {
/// The address of an element of `bytes` bytes, or null where a read gives zero. A layer is a z.
__device__ void* cpu_device_surface(cudaSurfaceObject_t object, int x, int y, int z, size_t bytes,
                                    int mode);
}

#define CPU_DEVICE_SURFACE __device__ inline __attribute__((always_inline))

template <class T>
CPU_DEVICE_SURFACE T cpu_device_surface_read(cudaSurfaceObject_t object, int x, int y, int z,
                                             int mode) {
  const void* place = cpu_device_surface(object, x, y, z, sizeof(T), mode);
  return place ? *static_cast<const T*>(place) : T{};
}
template <class T>
CPU_DEVICE_SURFACE void cpu_device_surface_write(T value, cudaSurfaceObject_t object, int x, int y,
                                                 int z, int mode) {
  void* place = cpu_device_surface(object, x, y, z, sizeof(T), mode);
  if (place) *static_cast<T*>(place) = value;
}

#define CPU_DEVICE_SURFACES(Name, coordinates, x, y, z)                                      \
  template <class T>                                                                         \
  CPU_DEVICE_SURFACE T Name##read(cudaSurfaceObject_t object, CPU_DEVICE_LIST coordinates,   \
                                  cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {     \
    return cpu_device_surface_read<T>(object, x, y, z, mode);                                \
  }                                                                                          \
  template <class T>                                                                         \
  CPU_DEVICE_SURFACE void Name##read(T* value, cudaSurfaceObject_t object,                   \
                                     CPU_DEVICE_LIST coordinates,                            \
                                     cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {  \
    *value = cpu_device_surface_read<T>(object, x, y, z, mode);                              \
  }                                                                                          \
  template <class T>                                                                         \
  CPU_DEVICE_SURFACE void Name##write(T value, cudaSurfaceObject_t object,                   \
                                      CPU_DEVICE_LIST coordinates,                           \
                                      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { \
    cpu_device_surface_write(value, object, x, y, z, mode);                                  \
  }
#define CPU_DEVICE_LIST(...) __VA_ARGS__
CPU_DEVICE_SURFACES(surf1D, (int x), x, 0, 0)
CPU_DEVICE_SURFACES(surf2D, (int x, int y), x, y, 0)
CPU_DEVICE_SURFACES(surf3D, (int x, int y, int z), x, y, z)
CPU_DEVICE_SURFACES(surf1DLayered, (int x, int layer), x, 0, layer)
CPU_DEVICE_SURFACES(surf2DLayered, (int x, int y, int layer), x, y, layer)
#undef CPU_DEVICE_LIST
#undef CPU_DEVICE_SURFACES
#undef CPU_DEVICE_SURFACE
