// __launch_bounds__ limits launches and occupancy.
#include <cuda_runtime.h>

#include <cstdio>

constexpr int kThreads = 64;
__global__ void __launch_bounds__(kThreads) bounded(int* p) {
  *p = 1;
}
template <int N>
__global__ __launch_bounds__(N, 2) void bounded_by(int* p) {
  *p = N;
}

int main() {
  int* p;
  cudaMallocManaged(&p, 4);
  for (const int threads : {64, 65}) {
    bounded<<<1, threads>>>(p);
    printf("%d: %s\n", threads, cudaGetErrorName(cudaGetLastError()));
  }
  for (const int threads : {96, 97}) {
    bounded_by<96><<<1, threads>>>(p);
    printf("%d: %s\n", threads, cudaGetErrorName(cudaGetLastError()));
  }
  cudaFuncAttributes attributes;
  cudaFuncGetAttributes(&attributes, bounded_by<96>);
  int fits = 0, too_large = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fits, bounded, 64, 0);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&too_large, bounded, 65, 0);
  printf("at most %d threads, resident %d %d, registers %d\n", attributes.maxThreadsPerBlock, fits,
         too_large, attributes.numRegs);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
