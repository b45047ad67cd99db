/// @file
/// Texture objects and their sampler, by the formulas of CUDA's programming guide. Weights of linear
/// filtering are those that were measured on an H200 (corner_weight).
#include <cpu_device/small_float.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <mutex>
#include <unordered_set>
#include <utility>

#include "arrays.h"
#include "errors.h"
#include "memory.h"
#include "streams.h"

extern "C" bool cpu_device_texture_sample(cudaTextureObject_t, int, float, float, float,
                                          unsigned int*);
extern "C" bool cpu_device_texture_sample_layer(cudaTextureObject_t, int, float, float, int,
                                                unsigned int*);
extern "C" bool cpu_device_texture_fetch(cudaTextureObject_t, int, unsigned int*);

namespace {

using cpu_device::record;

struct Texture {
  cudaResourceDesc resource;
  cudaTextureDesc description;
  cudaChannelFormatDesc format;
  const char* memory;
  long size[3];  ///< elements in each dimension, at least 1
  long layers;   ///< of a layered array: its slices; otherwise 0
  size_t element_bytes, pitch, slice_bytes;
  int components;

  bool floating() const {
    return format.f == cudaChannelFormatKindFloat ||
           description.readMode == cudaReadModeNormalizedFloat;
  }
};

struct Textures {
  std::mutex mutex;
  std::unordered_set<cudaTextureObject_t> alive;
};
Textures& textures() {
  static Textures once;
  return once;
}

/// One component as an integer or, where the texture yields floats, as a float.
struct Component {
  float real;
  unsigned int bits;
};

Component read_component(const Texture& texture, const char* element, int index) {
  const int bits = texture.format.x;
  const char* place = element + index * bits / 8;
  unsigned int raw = 0;
  std::memcpy(&raw, place, static_cast<size_t>(bits / 8));
  if (texture.format.f == cudaChannelFormatKindFloat) {
    float value;
    std::memcpy(&value, &raw, 4);
    if (bits == 16) {
      value = cpu_device_small_to_float(static_cast<unsigned short>(raw), cpu_device_half);
    }
    return {value, 0};
  }
  const bool is_signed = texture.format.f == cudaChannelFormatKindSigned;
  const long value = !is_signed   ? static_cast<long>(raw)
                     : bits == 8  ? static_cast<long>(static_cast<signed char>(raw))
                     : bits == 16 ? static_cast<long>(static_cast<short>(raw))
                                  : static_cast<long>(static_cast<int>(raw));
  const double greatest = std::ldexp(1.0, bits - is_signed) - 1;
  const double normalised = std::max(static_cast<double>(value) / greatest, -1.0);
  return {static_cast<float>(normalised), static_cast<unsigned int>(value)};
}

/// The index that an index outside of 0 ... size - 1 stands for, or -1 for the border.
long resolve(long index, long size, cudaTextureAddressMode mode) {
  if (index >= 0 && index < size) return index;
  switch (mode) {
    case cudaAddressModeBorder:
      return -1;
    case cudaAddressModeWrap:
      return (index % size + size) % size;
    case cudaAddressModeMirror: {
      const long place = (index % (2 * size) + 2 * size) % (2 * size);
      return place < size ? place : 2 * size - 1 - place;
    }
    default:
      return index < 0 ? 0 : size - 1;
  }
}

Component read(const Texture& texture, const long (&index)[3], int component) {
  long place[3];
  for (int d = 0; d < 3; ++d) {
    auto mode = texture.description.addressMode[d];
    const bool repeats = mode == cudaAddressModeWrap || mode == cudaAddressModeMirror;
    if (repeats && !texture.description.normalizedCoords) mode = cudaAddressModeClamp;
    place[d] = resolve(index[d], texture.size[d], mode);
    if (place[d] < 0) {
      const float border = texture.description.borderColor[component];
      return {border, static_cast<unsigned int>(static_cast<long>(border))};
    }
  }
  return read_component(texture,
                        texture.memory + static_cast<size_t>(place[2]) * texture.slice_bytes +
                            static_cast<size_t>(place[1]) * texture.pitch +
                            static_cast<size_t>(place[0]) * texture.element_bytes,
                        component);
}

constexpr int kOne = 256;  ///< a weight of 1

/// The weight of a corner (bit 0: right, bit 1: above in y, bit 2: above in z), in 1/256. The whole is
/// split in z, then in x, then in y, each time into two parts of whole 1/256, of which one is
/// rounded to the nearest and the other is the rest. So the weights of all corners are 1 together.
/// All 65536 pairs of fractions in two dimensions and 32768 triples in three gave these on an H200.
int corner_weight(const int (&above)[3], int corner) {
  const auto part = [](int whole, int weight) { return (whole * weight + kOne / 2) / kOne; };
  const bool right = corner & 1, up = corner & 2, back = corner & 4;
  const int plane = back ? above[2] : kOne - above[2];
  const int to_the_right = part(plane, above[0]);
  const int column = right ? to_the_right : plane - to_the_right;
  const int rounded = right ? part(column, above[1]) : part(column, kOne - above[1]);
  return up == right ? rounded : column - rounded;
}

void store(unsigned int* to, const Component& value, bool floating) {
  if (floating) {
    std::memcpy(to, &value.real, 4);
  } else {
    *to = value.bits;
  }
}

/// What the description says of memory, format and sizes; false where CUDA would refuse it.
bool open(Texture* t) {
  const cudaResourceDesc& r = t->resource;
  t->size[0] = t->size[1] = t->size[2] = 1;
  t->layers = 0;
  switch (r.resType) {
    case cudaResourceTypeArray: {
      const cudaArray* array = r.res.array.array;
      if (!cpu_device::is_array(array)) return false;
      t->format = array->format;
      t->memory = array->memory;
      t->size[0] = static_cast<long>(array->extent.width);
      t->size[1] = static_cast<long>(array->rows());
      t->size[2] = static_cast<long>(array->slices());
      if (array->flags & cudaArrayLayered) t->layers = std::exchange(t->size[2], 1);
      t->pitch = array->pitch;
      t->slice_bytes = array->pitch * array->rows();
      break;
    }
    case cudaResourceTypeLinear:
      t->format = r.res.linear.desc;
      t->memory = static_cast<const char*>(r.res.linear.devPtr);
      if (reinterpret_cast<uintptr_t>(t->memory) % 512) return false;
      if (!cpu_device::device_can_access(t->memory, r.res.linear.sizeInBytes)) return false;
      break;
    case cudaResourceTypePitch2D: {
      const auto& p = r.res.pitch2D;
      t->format = p.desc;
      t->memory = static_cast<const char*>(p.devPtr);
      t->size[0] = static_cast<long>(p.width);
      t->size[1] = static_cast<long>(p.height);
      t->pitch = p.pitchInBytes;
      if (reinterpret_cast<uintptr_t>(t->memory) % 512 || p.pitchInBytes % 32) return false;
      if (!p.width || !p.height) return false;
      break;
    }
    default:
      return false;
  }
  t->element_bytes = cpu_device::element_bytes(t->format);
  if (!t->element_bytes) return false;
  t->components = static_cast<int>(t->element_bytes) * 8 / t->format.x;
  if (r.resType == cudaResourceTypeLinear) {
    t->size[0] = static_cast<long>(r.res.linear.sizeInBytes / t->element_bytes);
  }
  const bool normalised = t->description.readMode == cudaReadModeNormalizedFloat;
  if (normalised && t->format.f != cudaChannelFormatKindFloat && t->format.x == 32) return false;
  return t->description.filterMode == cudaFilterModePoint || t->floating();
}

bool alive(cudaTextureObject_t object) {
  std::lock_guard lock(textures().mutex);
  return textures().alive.count(object) != 0;
}

}  // namespace

extern "C" {

// ---- in kernels

bool cpu_device_texture_fetch(cudaTextureObject_t object, int index, unsigned int* components) {
  const Texture& texture = *reinterpret_cast<const Texture*>(object);
  const bool inside = index >= 0 && index < texture.size[0];  // outside of linear memory: zeros
  for (int c = 0; c < 4; ++c) {
    Component value{0, 0};
    if (inside && c < texture.components) {
      value = read_component(
          texture, texture.memory + static_cast<size_t>(index) * texture.element_bytes, c);
    }
    store(&components[c], value, texture.floating());
  }
  return texture.floating();
}

bool cpu_device_texture_sample(cudaTextureObject_t object, int dimensions, float x, float y,
                               float z, unsigned int* components) {
  const Texture& texture = *reinterpret_cast<const Texture*>(object);
  const float coordinates[3] = {x, y, z};
  const bool linear = texture.description.filterMode == cudaFilterModeLinear;
  // Filtering has at least two dimensions. A row by itself is sampled at y = 0, which is half in the
  // row below it: only a border there differs from the row.
  const int filtered = std::max(dimensions, 2);
  long low[3] = {0, 0, 0};
  int above[3] = {0, 0, 0};  // weight of the neighbour above, in 1/256
  for (int d = 0; d < (linear ? filtered : dimensions); ++d) {
    double at = d < dimensions ? coordinates[d] : 0;
    if (!(std::fabs(at) < 1e9)) at = at < 0 ? -1e9 : at > 0 ? 1e9 : 0;  // infinities, NaN
    if (texture.description.normalizedCoords) at *= static_cast<double>(texture.size[d]);
    if (linear) at -= 0.5;
    const double whole = std::floor(at);
    low[d] = static_cast<long>(whole);
    if (linear) above[d] = static_cast<int>(std::floor((at - whole) * kOne + 0.5));
  }
  for (int c = 0; c < 4; ++c) {
    Component value{0, 0};
    if (c < texture.components && !linear) value = read(texture, low, c);
    if (c < texture.components && linear) {
      for (int corner = 0; corner < 1 << filtered; ++corner) {
        const int weight = corner_weight(above, corner);
        const long index[3] = {low[0] + (corner & 1), low[1] + (corner >> 1 & 1),
                               low[2] + (corner >> 2)};
        const float share = static_cast<float>(weight) / kOne;
        if (weight) value.real += share * read(texture, index, c).real;
      }
    }
    store(&components[c], value, texture.floating());
  }
  return texture.floating();
}

bool cpu_device_texture_sample_layer(cudaTextureObject_t object, int dimensions, float x, float y,
                                     int layer, unsigned int* components) {
  Texture one = *reinterpret_cast<const Texture*>(object);
  const size_t last = static_cast<size_t>(std::max(one.layers - 1, 0L));
  one.memory += std::min<size_t>(static_cast<unsigned int>(layer), last) * one.slice_bytes;
  return cpu_device_texture_sample(reinterpret_cast<cudaTextureObject_t>(&one), dimensions, x, y, 0,
                                   components);
}

// ---- on the host

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* description,
                                    const cudaResourceViewDesc* view) {
  if (const cudaError_t error = cpu_device::context_error()) return record(error);
  if (!object || !resource || !description) return record(cudaErrorInvalidValue);
  if (view || resource->resType == cudaResourceTypeMipmappedArray) {
    return record(cudaErrorNotSupported);
  }
  Texture texture{};
  texture.resource = *resource;
  texture.description = *description;
  if (!open(&texture)) return record(cudaErrorInvalidValue);
  *object = reinterpret_cast<cudaTextureObject_t>(new Texture(texture));
  std::lock_guard lock(textures().mutex);
  textures().alive.insert(*object);
  return cudaSuccess;
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) {
  if (const cudaError_t error = cpu_device::synchronise_device()) return error;
  if (!object) return cudaSuccess;
  std::lock_guard lock(textures().mutex);
  if (!textures().alive.erase(object)) return record(cudaErrorInvalidValue);
  delete reinterpret_cast<Texture*>(object);
  return cudaSuccess;
}

cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource,
                                             cudaTextureObject_t object) {
  if (!resource || !alive(object)) return record(cudaErrorInvalidValue);
  *resource = reinterpret_cast<const Texture*>(object)->resource;
  return cudaSuccess;
}

cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* description,
                                            cudaTextureObject_t object) {
  if (!description || !alive(object)) return record(cudaErrorInvalidValue);
  *description = reinterpret_cast<const Texture*>(object)->description;
  return cudaSuccess;
}

}  // extern "C"
