// Right: what took the place of the old forms. Textures are objects, facts of the device are attributes,
// a prefetch names a place where the toolkit wants one, and doubles are added atomically.
// expect: cpu exit 0 /\Atexture 1 4 9 16, sum 30\.0/
// expect: gpu exit 0 /\Atexture 1 4 9 16, sum 30\.0/
// expect: nogpu exit 77 /\ASKIP: no GPU/
#include <cuda_runtime.h>

#include <cstdio>

__global__ void look_up(cudaTextureObject_t table, int n, float* out, double* sum) {
  const int i = threadIdx.x;
  if (i >= n) return;
  out[i] = tex1Dfetch<float>(table, i);
  atomicAdd(sum, static_cast<double>(out[i]));
}

cudaError_t prefetch(const void* values, std::size_t bytes, int device, cudaStream_t stream) {
#if CUDART_VERSION >= 13000
  cudaMemLocation place{};
  place.type = cudaMemLocationTypeDevice;
  place.id = device;
  return cudaMemPrefetchAsync(values, bytes, place, 0, stream);
#else
  return cudaMemPrefetchAsync(values, bytes, device, stream);
#endif
}

int attribute(cudaDeviceAttr which) {
  int value = 0;
  return cudaDeviceGetAttribute(&value, which, 0) == cudaSuccess ? value : 0;
}

int main() {
  int gpus = 0;
  if (cudaGetDeviceCount(&gpus) != cudaSuccess || gpus == 0) {
    std::puts("SKIP: no GPU");
    return 77;
  }
  const int n = 4;
  const float squares[n] = {1, 4, 9, 16};
  float *d_table = nullptr, *d_out = nullptr, out[n] = {};
  double *sum = nullptr, host_sum = 0;
  bool good = cudaMalloc(&d_table, sizeof squares) == cudaSuccess;
  good = good && cudaMalloc(&d_out, sizeof out) == cudaSuccess;
  good = good && cudaMallocManaged(&sum, sizeof *sum) == cudaSuccess;
  good = good && cudaMemset(sum, 0, sizeof *sum) == cudaSuccess;
  good =
      good && cudaMemcpy(d_table, squares, sizeof squares, cudaMemcpyHostToDevice) == cudaSuccess;
  if (attribute(cudaDevAttrConcurrentManagedAccess))
    good = good && prefetch(sum, sizeof *sum, 0, nullptr) == cudaSuccess;

  cudaResourceDesc memory{};
  memory.resType = cudaResourceTypeLinear;
  memory.res.linear.devPtr = d_table;
  memory.res.linear.desc = cudaCreateChannelDesc<float>();
  memory.res.linear.sizeInBytes = sizeof squares;
  cudaTextureDesc reading{};
  reading.readMode = cudaReadModeElementType;
  cudaTextureObject_t table = 0;
  good = good && cudaCreateTextureObject(&table, &memory, &reading, nullptr) == cudaSuccess;

  look_up<<<1, 32>>>(table, n, d_out, sum);
  good = good && cudaGetLastError() == cudaSuccess;
  good = good && cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost) == cudaSuccess;
  good = good && cudaMemcpy(&host_sum, sum, sizeof *sum, cudaMemcpyDefault) == cudaSuccess;
  cudaDestroyTextureObject(table);
  cudaFree(d_table);
  cudaFree(d_out);
  cudaFree(sum);
  std::printf("texture %g %g %g %g, sum %.1f\n", out[0], out[1], out[2], out[3], host_sum);
  const int clock = attribute(cudaDevAttrClockRate);
  std::printf(clock != 0 ? "SM clock %d kHz\n" : "SM clock unknown\n", clock);
  return good && host_sum == 30 ? 0 : 1;
}
