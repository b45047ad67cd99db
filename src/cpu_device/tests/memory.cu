// Pools, and host memory registered for the device. Prints a line a check.
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <vector>

__global__ void add(int* p, int value) {
  p[threadIdx.x] += value;
}

#define SAY(call) printf("%s: %s\n", #call, cudaGetErrorName(call))

int main() {
  cudaMemPool_t pool, own;
  SAY(cudaDeviceGetDefaultMemPool(&pool, 0));
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  SAY(cudaMemPoolCreate(&own, &properties));
  uint64_t threshold = UINT64_MAX, bytes = 0;
  SAY(cudaMemPoolSetAttribute(own, cudaMemPoolAttrReleaseThreshold, &threshold));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  int *a, *b;
  SAY(cudaMallocFromPoolAsync(&a, 4096, own, stream));
  SAY(cudaMallocAsync(&b, 64, stream));
  cudaMemsetAsync(b, 0, 64, stream);
  add<<<1, 16, 0, stream>>>(b, 5);
  SAY(cudaMemPoolGetAttribute(own, cudaMemPoolAttrUsedMemCurrent, &bytes));
  printf("used %llu\n", static_cast<unsigned long long>(bytes));
  int back[16] = {};
  cudaMemcpyAsync(back, b, 64, cudaMemcpyDeviceToHost, stream);
  SAY(cudaFreeAsync(a, stream));
  SAY(cudaFreeAsync(b, stream));
  SAY(cudaStreamSynchronize(stream));
  cudaMemPoolGetAttribute(own, cudaMemPoolAttrUsedMemCurrent, &bytes);
  printf("result %d, used %llu\n", back[15], static_cast<unsigned long long>(bytes));
  cudaMemPoolGetAttribute(own, cudaMemPoolAttrUsedMemHigh, &bytes);
  printf("highest %llu\n", static_cast<unsigned long long>(bytes));
  SAY(cudaDeviceSetMemPool(0, own));
  SAY(cudaMemPoolDestroy(own));

  std::vector<int> host(32, 1);
  SAY(cudaHostRegister(host.data(), 32 * sizeof(int), cudaHostRegisterMapped));
  SAY(cudaHostRegister(host.data() + 4, 4, cudaHostRegisterDefault));
  int* seen = nullptr;
  SAY(cudaHostGetDevicePointer(&seen, host.data(), 0));
  add<<<1, 32>>>(seen, 7);
  SAY(cudaDeviceSynchronize());
  printf("registered %d\n", host[31]);
  cudaPointerAttributes attributes;
  cudaPointerGetAttributes(&attributes, host.data() + 3);
  printf("type %d\n", attributes.type);
  SAY(cudaHostUnregister(host.data()));
  SAY(cudaHostUnregister(host.data()));
}
