/// @file
/// Reading texture objects in kernels; the sampler is runtime/textures.cpp.
#pragma once
#pragma GCC system_header

extern "C" {
/// Reads at the given coordinates (as many as the resource has dimensions). The four components
/// come as the bits of floats or of 32-bit integers, whichever the texture yields.
/// @return whether they are floats.
__device__ bool cpu_device_texture_sample(cudaTextureObject_t object, int dimensions, float x,
                                          float y, float z, unsigned int* components);
/// The same in one layer of a layered array, whose number is clamped, a negative one to the last.
__device__ bool cpu_device_texture_sample_layer(cudaTextureObject_t object, int dimensions, float x,
                                                float y, int layer, unsigned int* components);
__device__ bool cpu_device_texture_fetch(cudaTextureObject_t object, int index,
                                         unsigned int* components);
}

#define CPU_DEVICE_TEXTURE __device__ inline __attribute__((always_inline))

template <class T>
CPU_DEVICE_TEXTURE T cpu_device_texel_value(const unsigned int* bits, bool floating) {
  using component = typename cpu_device_texel<T>::component;
  constexpr int count = cpu_device_texel<T>::components;
  component values[count];
  for (int i = 0; i < count; ++i) {
    if (floating) {
      float value;
      __builtin_memcpy(&value, &bits[i], 4);
      values[i] = static_cast<component>(value);
    } else {
      values[i] = static_cast<component>(bits[i]);
    }
  }
  T result;
  __builtin_memcpy(&result, values, sizeof result);
  return result;
}

template <class T>
CPU_DEVICE_TEXTURE T tex1Dfetch(cudaTextureObject_t object, int index) {
  unsigned int bits[4];
  const bool floating = cpu_device_texture_fetch(object, index, bits);
  return cpu_device_texel_value<T>(bits, floating);
}
template <class T>
CPU_DEVICE_TEXTURE T tex1D(cudaTextureObject_t object, float x) {
  unsigned int bits[4];
  const bool floating = cpu_device_texture_sample(object, 1, x, 0, 0, bits);
  return cpu_device_texel_value<T>(bits, floating);
}
template <class T>
CPU_DEVICE_TEXTURE T tex2D(cudaTextureObject_t object, float x, float y) {
  unsigned int bits[4];
  const bool floating = cpu_device_texture_sample(object, 2, x, y, 0, bits);
  return cpu_device_texel_value<T>(bits, floating);
}
template <class T>
CPU_DEVICE_TEXTURE T tex3D(cudaTextureObject_t object, float x, float y, float z) {
  unsigned int bits[4];
  const bool floating = cpu_device_texture_sample(object, 3, x, y, z, bits);
  return cpu_device_texel_value<T>(bits, floating);
}
template <class T>
CPU_DEVICE_TEXTURE T tex1DLayered(cudaTextureObject_t object, float x, int layer) {
  unsigned int bits[4];
  const bool floating = cpu_device_texture_sample_layer(object, 1, x, 0, layer, bits);
  return cpu_device_texel_value<T>(bits, floating);
}
template <class T>
CPU_DEVICE_TEXTURE T tex2DLayered(cudaTextureObject_t object, float x, float y, int layer) {
  unsigned int bits[4];
  const bool floating = cpu_device_texture_sample_layer(object, 2, x, y, layer, bits);
  return cpu_device_texel_value<T>(bits, floating);
}
// The forms that return through a pointer.
template <class T>
CPU_DEVICE_TEXTURE void tex1DLayered(T* value, cudaTextureObject_t object, float x, int layer) {
  *value = tex1DLayered<T>(object, x, layer);
}
template <class T>
CPU_DEVICE_TEXTURE void tex2DLayered(T* value, cudaTextureObject_t object, float x, float y,
                                     int layer) {
  *value = tex2DLayered<T>(object, x, y, layer);
}
template <class T>
CPU_DEVICE_TEXTURE void tex1Dfetch(T* value, cudaTextureObject_t object, int index) {
  *value = tex1Dfetch<T>(object, index);
}
template <class T>
CPU_DEVICE_TEXTURE void tex1D(T* value, cudaTextureObject_t object, float x) {
  *value = tex1D<T>(object, x);
}
template <class T>
CPU_DEVICE_TEXTURE void tex2D(T* value, cudaTextureObject_t object, float x, float y) {
  *value = tex2D<T>(object, x, y);
}
template <class T>
CPU_DEVICE_TEXTURE void tex3D(T* value, cudaTextureObject_t object, float x, float y, float z) {
  *value = tex3D<T>(object, x, y, z);
}
#undef CPU_DEVICE_TEXTURE
