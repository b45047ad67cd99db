// The host's side of the API: limits, errors, memory, streams, events. A plain C++ file.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

#define SAY(call) std::printf("%s: %s\n", #call, cudaGetErrorName(call))

int main() {
  int *p = nullptr, *q = nullptr, on_host[4] = {1, 2, 3, 4}, back[4] = {};
  void* nothing = nullptr;
  SAY(cudaMalloc(&p, size_t{1} << 60));
  SAY(cudaGetLastError());
  SAY(cudaGetLastError());
  SAY(cudaMalloc(&p, 0));
  SAY(cudaMalloc(&p, 1024));
  SAY(cudaMemcpy(p, on_host, sizeof on_host, cudaMemcpyHostToDevice));
  SAY(cudaMemcpy(back, p, sizeof back, cudaMemcpyDeviceToHost));
  std::printf("copied %d\n", back[3]);
  SAY(cudaMemcpy(back, p, sizeof back, static_cast<cudaMemcpyKind>(9)));
  SAY(cudaMemcpy(back, on_host, sizeof back, cudaMemcpyHostToDevice));
  SAY(cudaMemcpy(p, on_host, 2048, cudaMemcpyHostToDevice));
  SAY(cudaMemcpy(nothing, on_host, 4, cudaMemcpyHostToDevice));
  SAY(cudaMemcpy(back, p, sizeof back, cudaMemcpyDefault));
  SAY(cudaMemset(on_host, 0, 4));
  SAY(cudaFree(on_host));
  SAY(cudaFree(nullptr));
  SAY(cudaFree(p));
  SAY(cudaFree(p));
  size_t pitch = 0;
  SAY(cudaMallocPitch(&q, &pitch, 100, 7));
  std::printf("pitch %zu\n", pitch);
  SAY(cudaMemcpy2D(q, pitch, on_host, 8, 8, 2, cudaMemcpyHostToDevice));
  SAY(cudaMemcpy2D(back, 8, q, pitch, 8, 2, cudaMemcpyDeviceToHost));
  std::printf("2-D %d\n", back[2]);
  SAY(cudaMemcpy2D(back, 4, q, pitch, 8, 2, cudaMemcpyDeviceToHost));
  cudaPointerAttributes attributes;
  SAY(cudaPointerGetAttributes(&attributes, q));
  std::printf("type %d\n", attributes.type);
  cudaPointerGetAttributes(&attributes, on_host);
  std::printf("type %d\n", attributes.type);
  size_t free_bytes = 0, total = 0;
  SAY(cudaMemGetInfo(&free_bytes, &total));
  std::printf("memory %d\n", free_bytes < total);
  cudaDeviceProp properties;
  SAY(cudaGetDeviceProperties(&properties, 0));
  SAY(cudaGetDeviceProperties(&properties, 1));
  int clock = 0, count = 0, driver = 0;
  cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, 0);
  cudaGetDeviceCount(&count);
  cudaDriverGetVersion(&driver);
  std::printf("device %s: %d.%d, %d SMs, %d kHz, %d device, driver %d\n", properties.name,
              properties.major, properties.minor, properties.multiProcessorCount, clock, count,
              driver);
  cudaStream_t stream;
  cudaEvent_t start, stop;
  SAY(cudaStreamCreate(&stream));
  SAY(cudaEventCreate(&start));
  SAY(cudaEventCreate(&stop));
  float milliseconds = -1;
  SAY(cudaEventElapsedTime(&milliseconds, start, stop));
  SAY(cudaEventRecord(start, stream));
  SAY(cudaMemsetAsync(q, 0, 4, stream));
  SAY(cudaEventRecord(stop, stream));
  SAY(cudaEventSynchronize(stop));
  SAY(cudaEventElapsedTime(&milliseconds, start, stop));
  std::printf("time %d\n", milliseconds >= 0);
  SAY(cudaEventDestroy(start));
  SAY(cudaEventRecord(start, stream));
  SAY(cudaStreamDestroy(stream));
  std::printf("%s | %s | %s\n", cudaGetErrorString(cudaErrorIllegalAddress),
              cudaGetErrorString(cudaErrorInvalidConfiguration),
              cudaGetErrorString(static_cast<cudaError_t>(12345)));
}
