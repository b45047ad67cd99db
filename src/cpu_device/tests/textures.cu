// Texture objects: every address mode and filter in one and two dimensions, against the formulas
// of CUDA's programming guide; resources of every kind; copies in two and three dimensions. Also
// runs on a GPU (built with nvcc). Prints "ok NAME" a check.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

static int failures = 0;
static void check(const char* name, bool good) {
  printf("%s %s\n", good ? "ok" : "wrong", name);
  failures += !good;
}

__global__ void sample_1d(cudaTextureObject_t texture, const float* x, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = tex1D<float>(texture, x[i]);
}
__global__ void sample_2d(cudaTextureObject_t texture, const float* x, const float* y, float* out,
                          int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = tex2D<float>(texture, x[i], y[i]);
}
template <class T>
__global__ void fetch(cudaTextureObject_t texture, T* out, int n) {
  const int i = threadIdx.x;
  if (i < n) out[i] = tex1Dfetch<T>(texture, i - 1);
}
template <class T>
__global__ void read_2d(cudaTextureObject_t texture, T* out, int width) {
  out[threadIdx.y * width + threadIdx.x] =
      tex2D<T>(texture, threadIdx.x + 0.5f, threadIdx.y + 0.5f);
}

// The guide's formulas, for one dimension: which element, or which two and with what weight.
struct Pick {
  int low, high;
  double weight;
};
static int address(double x, int n, cudaTextureAddressMode mode) {  // x in elements
  if (mode == cudaAddressModeBorder && (x < 0 || x >= n)) return -1;
  if (mode == cudaAddressModeClamp) x = std::fmin(std::fmax(x, 0), n - 1);
  if (mode == cudaAddressModeWrap) x = (x / n - std::floor(x / n)) * n;
  if (mode == cudaAddressModeMirror) {
    const double turns = std::floor(x / n), part = x / n - turns;
    x = (std::fmod(turns, 2) == 0 ? part : 1 - part) * n;
    if (std::fmod(turns, 2) != 0) x = std::nextafter(x, 0);
  }
  return static_cast<int>(std::fmin(std::floor(x), n - 1));
}
static Pick pick(double x, int n, const cudaTextureDesc& d) {
  auto mode = d.addressMode[0];
  if (!d.normalizedCoords && (mode == cudaAddressModeWrap || mode == cudaAddressModeMirror)) {
    mode = cudaAddressModeClamp;
  }
  if (d.normalizedCoords) x *= n;
  if (d.filterMode == cudaFilterModePoint) {
    const int i = address(x, n, mode);
    return {i, i, 0};
  }
  const double base = std::floor(x - 0.5);
  const double weight = std::floor((x - 0.5 - base) * 256 + 0.5) / 256;
  return {address(base + 0.5, n, mode), address(base + 1.5, n, mode), weight};
}

// A row by itself is filtered between itself and what lies below it.
static Pick row_by_itself(const cudaTextureDesc& d) {
  const bool half_border =
      d.filterMode == cudaFilterModeLinear && d.addressMode[1] == cudaAddressModeBorder;
  return half_border ? Pick{-1, 0, 0.5} : Pick{0, 0, 0};
}

constexpr int kWidth = 8, kHeight = 4, kSamples = 512;
static float element(int x, int y) {
  return x < 0 || y < 0 ? 0.0f : 1.0f + x * x + 10.0f * y;
}

static void all_modes(int dimensions) {
  cudaArray_t array;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMallocArray(&array, &format, kWidth, dimensions == 2 ? kHeight : 0);
  float host[kHeight][kWidth];
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) host[y][x] = element(x, y);
  }
  cudaMemcpy2DToArray(array, 0, 0, host, sizeof host[0], sizeof host[0],
                      dimensions == 2 ? kHeight : 1, cudaMemcpyHostToDevice);
  float *x, *y, *out;
  cudaMallocManaged(&x, kSamples * 4);
  cudaMallocManaged(&y, kSamples * 4);
  cudaMallocManaged(&out, kSamples * 4);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  for (int combination = 0; combination < 16; ++combination) {
    cudaTextureDesc d = {};
    for (auto& mode : d.addressMode) mode = static_cast<cudaTextureAddressMode>(combination % 4);
    d.filterMode = combination / 4 % 2 ? cudaFilterModeLinear : cudaFilterModePoint;
    d.normalizedCoords = combination / 8;
    d.readMode = cudaReadModeElementType;
    cudaTextureObject_t texture = 0;
    bool good = cudaCreateTextureObject(&texture, &resource, &d, nullptr) == cudaSuccess;
    for (int i = 0; i < kSamples; ++i) {  // off the places where rounding decides
      const float at = (i - kSamples / 2) * 0.125f + 0.04f;
      x[i] = d.normalizedCoords ? at / kWidth : at;
      const float row = (i * 7 % 96 - 48) * 0.125f + 0.07f;
      y[i] = d.normalizedCoords ? row / kHeight : row;
    }
    if (dimensions == 2) {
      sample_2d<<<kSamples / 64, 64>>>(texture, x, y, out, kSamples);
    } else {
      sample_1d<<<kSamples / 64, 64>>>(texture, x, out, kSamples);
    }
    good &= cudaDeviceSynchronize() == cudaSuccess;
    int shown = 0;
    for (int i = 0; i < kSamples; ++i) {
      const Pick px = pick(x[i], kWidth, d);
      const Pick py = dimensions == 2 ? pick(y[i], kHeight, d) : row_by_itself(d);
      const double both = std::floor(px.weight * py.weight * 256 + 0.5) / 256;
      const double expected = (1 - px.weight - py.weight + both) * element(px.low, py.low) +
                              (px.weight - both) * element(px.high, py.low) +
                              (py.weight - both) * element(px.low, py.high) +
                              both * element(px.high, py.high);
      if (!(std::fabs(out[i] - expected) <= 1e-5 * (1 + std::fabs(expected)))) {
        good = false;
        if (++shown < 4) printf("at %g %g: %g, not %g\n", x[i], y[i], out[i], expected);
      }
    }
    static const char* const modes[] = {"wrap", "clamp", "mirror", "border"};
    char name[80];
    snprintf(name, sizeof name, "%d-D %s %s %s", dimensions, modes[combination % 4],
             d.filterMode == cudaFilterModeLinear ? "linear" : "point",
             d.normalizedCoords ? "normalised" : "elements");
    check(name, good && cudaDestroyTextureObject(texture) == cudaSuccess);
  }
  cudaFreeArray(array);
}

static void linear_memory() {
  cudaTextureDesc d = {};
  cudaResourceDesc r = {};
  r.resType = cudaResourceTypeLinear;
  float4* memory;
  float4* out;
  cudaMallocManaged(&memory, 16 * sizeof(float4));
  cudaMallocManaged(&out, 32 * sizeof(float4));
  for (int i = 0; i < 16; ++i) memory[i] = make_float4(i, 2 * i, 3 * i, 4 * i);
  r.res.linear.devPtr = memory;
  r.res.linear.desc = cudaCreateChannelDesc<float4>();
  r.res.linear.sizeInBytes = 16 * sizeof(float4);
  cudaTextureObject_t texture = 0;
  bool good = cudaCreateTextureObject(&texture, &r, &d, nullptr) == cudaSuccess;
  fetch<float4><<<1, 32>>>(texture, out, 18);
  good &= cudaDeviceSynchronize() == cudaSuccess;
  good &= out[0].x == 0 && out[17].w == 0 && out[4].z == 9 && out[16].w == 60;
  check("fetch float4", good);
  cudaDestroyTextureObject(texture);

  auto* bytes = reinterpret_cast<signed char*>(memory);
  for (int i = 0; i < 16; ++i) bytes[i] = static_cast<signed char>(-i * 9);
  bytes[3] = -128;
  bytes[4] = 127;
  r.res.linear.desc = cudaCreateChannelDesc<signed char>();
  r.res.linear.sizeInBytes = 16;
  cudaCreateTextureObject(&texture, &r, &d, nullptr);
  auto* integers = reinterpret_cast<signed char*>(out);
  fetch<signed char><<<1, 32>>>(texture, integers, 16);
  good = cudaDeviceSynchronize() == cudaSuccess && integers[3] == -18 && integers[4] == -128;
  check("fetch signed char", good);
  cudaDestroyTextureObject(texture);
  d.readMode = cudaReadModeNormalizedFloat;
  cudaCreateTextureObject(&texture, &r, &d, nullptr);
  auto* reals = reinterpret_cast<float*>(out);
  fetch<float><<<1, 32>>>(texture, reals, 16);
  good = cudaDeviceSynchronize() == cudaSuccess && reals[4] == -1 && reals[5] == 1;
  check("normalised floats", good && std::fabs(reals[3] + 18 / 127.0f) < 1e-6f);
  cudaDestroyTextureObject(texture);
  d.readMode = cudaReadModeElementType;
  d.filterMode = cudaFilterModeLinear;
  check("no filter for integers",
        cudaCreateTextureObject(&texture, &r, &d, nullptr) != cudaSuccess);
  cudaGetLastError();
}

static void pitched() {
  uchar4* memory;
  size_t pitch;
  cudaMallocPitch(&memory, &pitch, 8 * sizeof(uchar4), 4);
  uchar4 host[4][8], *out;
  for (int i = 0; i < 32; ++i) host[i / 8][i % 8] = make_uchar4(i, i + 1, i + 2, 255 - i);
  cudaMemcpy2D(memory, pitch, host, sizeof host[0], sizeof host[0], 4, cudaMemcpyHostToDevice);
  cudaResourceDesc r = {};
  r.resType = cudaResourceTypePitch2D;
  r.res.pitch2D.devPtr = memory;
  r.res.pitch2D.desc = cudaCreateChannelDesc<uchar4>();
  r.res.pitch2D.width = 8;
  r.res.pitch2D.height = 4;
  r.res.pitch2D.pitchInBytes = pitch;
  cudaTextureDesc d = {};
  cudaTextureObject_t texture = 0;
  bool good = cudaCreateTextureObject(&texture, &r, &d, nullptr) == cudaSuccess;
  cudaMallocManaged(&out, sizeof host);
  read_2d<uchar4><<<1, dim3(8, 4)>>>(texture, out, 8);
  good &= cudaDeviceSynchronize() == cudaSuccess && !memcmp(out, host, sizeof host);
  check("pitched memory", good);
  r.res.pitch2D.devPtr = memory + 1;
  check("misaligned memory", cudaCreateTextureObject(&texture, &r, &d, nullptr) != cudaSuccess);
  cudaGetLastError();
}

static void three_dimensions() {
  constexpr size_t w = 5, h = 3, z = 2;
  int host[z][h][w], back[z][h][w] = {};
  for (size_t i = 0; i < w * h * z; ++i) (&host[0][0][0])[i] = static_cast<int>(i);
  cudaPitchedPtr device;
  const cudaExtent extent = make_cudaExtent(w * sizeof(int), h, z);
  bool good = cudaMalloc3D(&device, extent) == cudaSuccess && device.pitch >= w * sizeof(int);
  good &= cudaMemset3D(device, 0xff, extent) == cudaSuccess;
  cudaMemcpy3DParms p = {};
  p.srcPtr = make_cudaPitchedPtr(host, w * sizeof(int), w, h);
  p.dstPtr = device;
  p.extent = make_cudaExtent((w - 1) * sizeof(int), h, z);
  p.kind = cudaMemcpyHostToDevice;
  good &= cudaMemcpy3D(&p) == cudaSuccess;
  cudaMemcpy3DParms q = {};
  q.srcPtr = device;
  q.dstPtr = make_cudaPitchedPtr(back, w * sizeof(int), w, h);
  q.extent = extent;
  q.kind = cudaMemcpyDeviceToHost;
  good &= cudaMemcpy3D(&q) == cudaSuccess;
  good &= back[1][2][3] == host[1][2][3] && back[1][1][4] == -1;
  check("3-D copies", good);

  cudaArray_t array;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
  good = cudaMalloc3DArray(&array, &format, make_cudaExtent(w, h, z)) == cudaSuccess;
  cudaMemcpy3DParms to = {};
  to.srcPtr = p.srcPtr;
  to.dstArray = array;
  to.extent = make_cudaExtent(w, h, z);
  to.kind = cudaMemcpyHostToDevice;
  good &= cudaMemcpy3D(&to) == cudaSuccess;
  cudaMemcpy3DParms from = {};
  from.srcArray = array;
  from.srcPos = make_cudaPos(1, 1, 1);
  from.dstPtr = make_cudaPitchedPtr(back, w * sizeof(int), w, h);
  from.extent = make_cudaExtent(2, 2, 1);
  from.kind = cudaMemcpyDeviceToHost;
  good &= cudaMemcpy3D(&from) == cudaSuccess;
  good &= back[0][0][0] == host[1][1][1] && back[0][1][1] == host[1][2][2];
  from.extent = make_cudaExtent(w, h, z);  // reaches beyond the array
  good &= cudaMemcpy3D(&from) == cudaErrorInvalidValue;
  cudaGetLastError();
  check("3-D arrays", good && cudaFreeArray(array) == cudaSuccess);
}

/// One column or row more than a texture may have.
static void too_large() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaDeviceProp p;
  cudaGetDeviceProperties(&p, 0);
  cudaArray_t array = nullptr;
  bool good = cudaMallocArray(&array, &format, p.maxTexture2D[0] + 1, 1) == cudaErrorInvalidValue;
  good &= cudaMallocArray(&array, &format, 1, p.maxTexture2D[1] + 1) == cudaErrorInvalidValue;
  cudaGetLastError();
  good &= cudaMallocArray(&array, &format, p.maxTexture2D[0], 1) == cudaSuccess;
  check("arrays that are too large", good && cudaFreeArray(array) == cudaSuccess);
}

int main() {
  too_large();
  all_modes(1);
  all_modes(2);
  linear_memory();
  pitched();
  three_dimensions();
  return failures != 0;
}
