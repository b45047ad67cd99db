// Surfaces in one to three dimensions, their borders, and layered arrays. Prints "ok NAME" a check.
#include <cstdio>
#include <cstring>

void check(const char* name, bool good) {
  std::printf("%s %s\n", good ? "ok" : "wrong", name);
}

constexpr int kWidth = 6, kHeight = 4, kDepth = 3;

__global__ void invert(cudaSurfaceObject_t surface) {
  const int x = threadIdx.x * sizeof(float), y = threadIdx.y;
  surf2Dwrite(-surf2Dread<float>(surface, x, y), surface, x, y);
}
__global__ void borders(cudaSurfaceObject_t surface, float* out) {
  const int last = (kWidth - 1) * sizeof(float), beyond = kWidth * sizeof(float);
  out[0] = surf2Dread<float>(surface, beyond, 1, cudaBoundaryModeZero);
  out[1] = surf2Dread<float>(surface, beyond, kHeight, cudaBoundaryModeClamp);
  out[2] = surf2Dread<float>(surface, -4, -1, cudaBoundaryModeClamp);
  surf2Dwrite(99.0f, surface, last, kHeight, cudaBoundaryModeZero);  // lost
  surf2Dread(&out[3], surface, last, kHeight - 1);
}
__global__ void trap(cudaSurfaceObject_t surface) {
  surf2Dwrite(1.0f, surface, kWidth * static_cast<int>(sizeof(float)), 0);
}
__global__ void number_1d(cudaSurfaceObject_t surface) {
  surf1Dwrite(make_short2(threadIdx.x, -1), surface, threadIdx.x * sizeof(short2));
}
__global__ void number_3d(cudaSurfaceObject_t surface) {
  const int value = threadIdx.x + 10 * threadIdx.y + 100 * threadIdx.z;
  surf3Dwrite(value, surface, threadIdx.x * sizeof(int), threadIdx.y, threadIdx.z);
}
__global__ void number_layers(cudaSurfaceObject_t surface, int layer) {
  const float value = threadIdx.x + 10 * threadIdx.y + 100 * layer;
  surf2DLayeredwrite(value, surface, threadIdx.x * sizeof(float), threadIdx.y, layer);
}
__global__ void sample_layers(cudaTextureObject_t texture, float* out) {
  out[0] = tex2DLayered<float>(texture, 1.5f, 2.5f, 2);   // an element of the last layer
  out[1] = tex2DLayered<float>(texture, 2.0f, 1.5f, 1);   // between two: never between layers
  out[2] = tex2DLayered<float>(texture, 0.5f, 0.5f, 99);  // clamped to the last
  out[3] = tex2DLayered<float>(texture, 0.5f, 0.5f, -1);  // a layer has no sign
}

cudaArray_t make_array(cudaChannelFormatDesc format, cudaExtent extent, unsigned flags) {
  cudaArray_t array = nullptr;
  cudaMalloc3DArray(&array, &format, extent, flags);
  return array;
}
cudaSurfaceObject_t make_surface(cudaArray_t array) {
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaSurfaceObject_t surface = 0;
  if (cudaCreateSurfaceObject(&surface, &resource) != cudaSuccess) std::printf("wrong surface\n");
  return surface;
}

int main() {
  float host[kHeight][kWidth], back[kHeight][kWidth], *out;
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) host[y][x] = 1.0f + x + 10 * y;
  }
  cudaMallocManaged(&out, 8 * sizeof *out);
  const cudaExtent plane = make_cudaExtent(kWidth, kHeight, 0);
  cudaArray_t array = make_array(cudaCreateChannelDesc<float>(), plane, cudaArraySurfaceLoadStore);
  const cudaSurfaceObject_t surface = make_surface(array);
  const size_t row = kWidth * sizeof(float);
  cudaMemcpy2DToArray(array, 0, 0, host, row, row, kHeight, cudaMemcpyHostToDevice);
  invert<<<1, dim3(kWidth, kHeight)>>>(surface);
  cudaMemcpy2DFromArray(back, row, array, 0, 0, row, kHeight, cudaMemcpyDeviceToHost);
  bool good = true;
  for (int i = 0; i < kWidth * kHeight; ++i) good = good && back[0][i] == -host[0][i];
  check("two dimensions", good);
  borders<<<1, 1>>>(surface, out);
  cudaDeviceSynchronize();
  check("borders", out[0] == 0 && out[1] == -host[kHeight - 1][kWidth - 1] &&
                       out[2] == -host[0][0] && out[3] == out[1]);
  check("destroyed", cudaDestroySurfaceObject(surface) == cudaSuccess);

  short2 line[kWidth];
  array = make_array(cudaCreateChannelDesc<short2>(), make_cudaExtent(kWidth, 0, 0),
                     cudaArraySurfaceLoadStore);
  number_1d<<<1, kWidth>>>(make_surface(array));
  cudaMemcpy2DFromArray(line, sizeof line, array, 0, 0, sizeof line, 1, cudaMemcpyDeviceToHost);
  check("one dimension", line[5].x == 5 && line[5].y == -1);

  int cube[kDepth][kHeight][kWidth];
  const cudaExtent whole = make_cudaExtent(kWidth, kHeight, kDepth);
  array = make_array(cudaCreateChannelDesc<int>(), whole, cudaArraySurfaceLoadStore);
  number_3d<<<1, dim3(kWidth, kHeight, kDepth)>>>(make_surface(array));
  cudaMemcpy3DParms copy{};
  copy.srcArray = array;
  copy.dstPtr = make_cudaPitchedPtr(cube, kWidth * sizeof(int), kWidth, kHeight);
  copy.extent = whole;
  copy.kind = cudaMemcpyDeviceToHost;
  cudaMemcpy3D(&copy);
  check("three dimensions", cube[2][3][5] == 235 && cube[1][0][4] == 104);

  cudaArray_t layers = make_array(cudaCreateChannelDesc<float>(), whole,
                                  cudaArrayLayered | cudaArraySurfaceLoadStore);
  for (int layer = 0; layer < kDepth; ++layer) {
    number_layers<<<1, dim3(kWidth, kHeight)>>>(make_surface(layers), layer);
  }
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = layers;
  cudaTextureDesc description{};
  description.filterMode = cudaFilterModeLinear;
  for (cudaTextureAddressMode& mode : description.addressMode) mode = cudaAddressModeClamp;
  cudaTextureObject_t texture;
  cudaCreateTextureObject(&texture, &resource, &description, nullptr);
  sample_layers<<<1, 1>>>(texture, out);
  cudaDeviceSynchronize();
  std::printf("layers %g %g %g %g\n", out[0], out[1], out[2], out[3]);

  trap<<<1, 1>>>(
      make_surface(make_array(cudaCreateChannelDesc<float>(), plane, cudaArraySurfaceLoadStore)));
  check("trap", cudaDeviceSynchronize() != cudaSuccess);
}
