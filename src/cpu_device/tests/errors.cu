// The error state: what calls with wrong arguments answer, what is kept for cudaGetLastError, and what
// is not.
#include <cstddef>
#include <cstdio>

__global__ void nothing() {}
__global__ void with_argument(int* data) {
  *data = 1;
}
__global__ void slow(long long cycles) {
  const long long start = clock64();
  while (clock64() - start < cycles) {
  }
}
__device__ int number;
__constant__ float table[4];

#define SAY(call) std::printf("%s: %s\n", #call, cudaGetErrorName(call))
#define LAUNCH(...)                                                               \
  __VA_ARGS__;                                                                    \
  std::printf("%s: %s\n", #__VA_ARGS__, cudaGetErrorName(cudaPeekAtLastError())); \
  cudaGetLastError()

void events() {
  cudaEvent_t start, untimed;
  float time;
  cudaEventCreate(&start);
  SAY(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
  SAY(cudaEventElapsedTime(&time, start, start));
  SAY(cudaEventQuery(start));  // never recorded: nothing to wait for
  SAY(cudaEventRecord(start));
  slow<<<1, 1>>>(100000000);
  SAY(cudaStreamQuery(nullptr));
  SAY(cudaPeekAtLastError());  // "not ready" is not kept
  SAY(cudaEventRecord(untimed));
  SAY(cudaEventQuery(untimed));
  SAY(cudaGetLastError());
  SAY(cudaEventElapsedTime(&time, start, untimed));
  SAY(cudaDeviceSynchronize());
  SAY(cudaGetLastError());
  SAY(cudaGetLastError());
  SAY(cudaEventCreateWithFlags(&start, 1024));
  SAY(cudaEventDestroy(untimed));
}

void memory() {
  int *data, *host;
  void* nowhere;
  cudaMalloc(&data, 64);
  SAY(cudaMallocHost(&host, 64));
  SAY(cudaMalloc(&nowhere, std::size_t{1} << 50));
  SAY(cudaGetLastError());
  SAY(cudaMalloc(&nowhere, 0));
  std::printf("%s\n", nowhere ? "something" : "nothing");
  SAY(cudaMalloc(static_cast<void**>(nullptr), 4));
  SAY(cudaMallocManaged(&nowhere, 0));
  SAY(cudaMallocManaged(&nowhere, 4, 9));
  SAY(cudaFree(nullptr));
  SAY(cudaFreeHost(nullptr));
  int here = 0;
  SAY(cudaFree(&here));
  SAY(cudaFree(data + 1));
  SAY(cudaFreeHost(data));
  SAY(cudaFree(host));
  SAY(cudaMemcpy(data, data + 4, 4, static_cast<cudaMemcpyKind>(9)));
  SAY(cudaMemcpy(data, &here, 4, cudaMemcpyDeviceToDevice));
  SAY(cudaMemcpy(&here, data, 4, cudaMemcpyHostToHost));
  SAY(cudaMemcpy(&here, data, 4, cudaMemcpyHostToDevice));
  SAY(cudaMemcpy(data, &here, 4, cudaMemcpyDeviceToHost));
  SAY(cudaMemcpy(&here, host, 4, cudaMemcpyDeviceToHost));
  SAY(cudaMemcpy(&here, &here + 1, 0, cudaMemcpyDeviceToHost));
  SAY(cudaMemcpyAsync(&here, data, 4, cudaMemcpyHostToHost));
  SAY(cudaMemcpyToSymbol(number, data, 4, 0, cudaMemcpyHostToDevice));
  SAY(cudaMemcpyToSymbol(number, &here, 4, 0, cudaMemcpyDeviceToDevice));
  SAY(cudaMemcpyFromSymbol(&here, number, 4, 0, cudaMemcpyHostToDevice));
  SAY(cudaMemcpy(data, nullptr, 0, cudaMemcpyDefault));
  SAY(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyDefault));
  SAY(cudaMemcpy(nullptr, &here, 4, cudaMemcpyDefault));
  SAY(cudaMemset(nullptr, 0, 0));
  SAY(cudaMemset(nullptr, 0, 4));
  SAY(cudaMemset(&here, 0, 4));
  SAY(cudaMemcpy2D(data, 4, data + 8, 8, 8, 1, cudaMemcpyDeviceToDevice));
  SAY(cudaMemset2D(data, 4, 0, 8, 1));
  SAY(cudaMemcpy2D(data, 4, data + 8, 8, 8, 2, cudaMemcpyDeviceToDevice));
  SAY(cudaMemcpy2D(data, 8, data + 8, 4, 8, 2, cudaMemcpyDeviceToDevice));
  SAY(cudaMemcpy2D(&here, 2, data, 4, 4, 1, cudaMemcpyDeviceToHost));
  SAY(cudaMemcpy2D(data, 4, &here, 2, 4, 1, cudaMemcpyHostToDevice));
  SAY(cudaMemset2D(data, 4, 0, 8, 2));
  SAY(cudaMemset2D(data, 4, 0, 8, 0));
  SAY(cudaMemcpyToSymbol(number, &here, 4));
  SAY(cudaMemcpyToSymbol(number, &here, 8));
  SAY(cudaMemcpyToSymbol(table, &here, 4, 13));
  SAY(cudaMemcpyToSymbol(table, &here, 4, 12, cudaMemcpyDeviceToHost));
  SAY(cudaMemcpyFromSymbol(&here, static_cast<const void*>(&here), 4));
  SAY(cudaGetSymbolAddress(&nowhere, static_cast<const void*>(&here)));
  SAY(cudaHostUnregister(data));
  SAY(cudaHostUnregister(&here));
  SAY(cudaHostUnregister(host));
  SAY(cudaHostUnregister(nullptr));
  SAY(cudaHostRegister(nullptr, 4, 0));
  SAY(cudaHostGetDevicePointer(&nowhere, &here, 0));
  SAY(cudaHostGetDevicePointer(&nowhere, host, 1));
  cudaPointerAttributes attributes;
  SAY(cudaPointerGetAttributes(&attributes, &here));
  SAY(cudaPointerGetAttributes(&attributes, nullptr));
  SAY(cudaMemPrefetchAsync(data, 4, cudaMemLocation{cudaMemLocationTypeDevice, 0}, 0));
  SAY(cudaFree(data));
  SAY(cudaFreeHost(host));
  SAY(cudaGetLastError());
}

void launches() {
  int blocks = 9;
  LAUNCH(nothing<<<0, 1>>>());
  LAUNCH(nothing<<<1, 0>>>());
  LAUNCH(nothing<<<1, 1, 300000>>>());
  LAUNCH(nothing<<<dim3(1, 1, 65536), 1>>>());
  LAUNCH(nothing<<<2147483648u, 1>>>());
  LAUNCH(nothing<<<1, dim3(1, 1025)>>>());
  SAY(cudaLaunchKernel(nullptr, dim3(1), dim3(1), nullptr, 0, nullptr));
  SAY(cudaLaunchCooperativeKernel(nothing, dim3(0), dim3(1), nullptr, 0, nullptr));
  cudaLaunchConfig_t empty{};
  SAY(cudaLaunchKernelEx(&empty, nothing));
  SAY(cudaFuncSetAttribute(nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, -1));
  SAY(cudaFuncSetAttribute(nothing, cudaFuncAttributePreferredSharedMemoryCarveout, 101));
  SAY(cudaFuncSetAttribute(nothing, static_cast<cudaFuncAttribute>(999), 1));
  SAY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, 0, 0));
  SAY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, 2048, 0));
  std::printf("%d\n", blocks);
  SAY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, 32, 300000));
  std::printf("%d\n", blocks);
  SAY(cudaGetLastError());
}

void devices() {
  int value;
  cudaDeviceProp properties;
  SAY(cudaSetDevice(99));
  SAY(cudaPeekAtLastError());
  SAY(cudaGetLastError());
  SAY(cudaSetDevice(-1));
  SAY(cudaGetDeviceProperties(&properties, 99));
  SAY(cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(9999), 0));
  SAY(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 7));
  SAY(cudaDeviceSetLimit(static_cast<cudaLimit>(99), 1));
  SAY(cudaStreamCreateWithFlags(static_cast<cudaStream_t*>(nullptr), 0));
  cudaStream_t stream;
  SAY(cudaStreamCreateWithFlags(&stream, 99));
  SAY(cudaStreamDestroy(nullptr));
  SAY(cudaStreamWaitEvent(nullptr, nullptr));
  SAY(cudaEventRecord(nullptr));
  SAY(cudaLaunchHostFunc(nullptr, nullptr, nullptr));
  SAY(cudaGetLastError());
  std::printf("%s; %s\n", cudaGetErrorName(static_cast<cudaError_t>(12345)),
              cudaGetErrorString(static_cast<cudaError_t>(12345)));
}

void a_kernel_fails() {
  int* data;
  cudaMalloc(&data, 4);
  LAUNCH(with_argument<<<1, 1>>>(nullptr));
  SAY(cudaDeviceSynchronize());
  SAY(cudaGetLastError());
  SAY(cudaGetLastError());  // stays
  SAY(cudaMalloc(&data, 4));
  SAY(cudaFree(data));
  SAY(cudaMemset(data, 0, 4));
  SAY(cudaStreamQuery(nullptr));
  LAUNCH(nothing<<<1, 1>>>());
  int count;
  SAY(cudaGetDeviceCount(&count));
  SAY(cudaSetDevice(0));
  SAY(cudaGetDevice(&count));
  cudaEvent_t event;
  SAY(cudaEventCreate(&event));
}

int main() {
  setvbuf(stdout, nullptr, _IONBF,
          0);  // each line is seen, also when a driver crashes at the next call
  events();
  memory();
  launches();
  devices();
  a_kernel_fails();
}
