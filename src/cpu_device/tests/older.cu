// What programs written for CUDA 12 and older use: fields, functions and forms of calls.
#include <cstdio>
#include <cstring>

#define SAY(call) std::printf("%s: %s\n", #call, cudaGetErrorName(call))
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#if !defined(__CUDA_RUNTIME_API_H__) || !defined(__DRIVER_TYPES_H__)
#error "headers of programs look for these"
#endif

__global__ void increment(int* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) ++data[i];
}

// Arguments of other integer types convert, as in the plain atomics.
__global__ void claim(int* owner) {
  const unsigned int id = threadIdx.x;
  atomicCAS_system(owner, id - 1, id);
  atomicCAS_block(owner + 1, 0u, 7ull);
}

int main() {
  cudaDeviceProp properties;
  SAY(cudaGetDeviceProperties(&properties, 0));
  std::printf("%d kHz, %d kHz, overlap %d, mode %d, timeout %d, layers %d\n", properties.clockRate,
              properties.memoryClockRate, properties.deviceOverlap, properties.computeMode,
              properties.kernelExecTimeoutEnabled, properties.maxTexture2DLayered[2]);
  int device = -1, *data = nullptr, *copy = nullptr;
  char bus[16];
  SAY(cudaChooseDevice(&device, &properties));
  SAY(cudaDeviceGetPCIBusId(bus, sizeof bus, 0));
  SAY(cudaDeviceGetByPCIBusId(&device, bus));
  SAY(cudaDeviceGetByPCIBusId(&device, "0000:02:00.0"));
  SAY(cudaSetDeviceFlags(cudaDeviceBlockingSync | cudaDeviceMapHost));
  SAY(cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte));
  SAY(cudaFuncSetSharedMemConfig(increment, cudaSharedMemBankSizeFourByte));
  SAY(cudaDeviceEnablePeerAccess(1, 0));
  cudaStream_t stream;
  cudaEvent_t event;
  cudaStreamCreate(&stream);
  SAY(cudaEventCreate(&event, cudaEventDisableTiming));
  cudaStreamAttrValue value = {};
  value.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
  SAY(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value));
  SAY(cudaCtxResetPersistingL2Cache());
  cudaMallocManaged(&data, 100 * sizeof *data);
  cudaMalloc(&copy, 100 * sizeof *copy);
  std::memset(data, 0, 100 * sizeof *data);
  SAY(cudaStreamAttachMemAsync(stream, data));
  SAY(cudaStreamAttachMemAsync(stream, copy, 0, cudaMemAttachHost));
  SAY(cudaMemAdvise(data, 100 * sizeof *data, cudaMemAdviseSetPreferredLocation, device));
  SAY(cudaMemPrefetchAsync(data, 100 * sizeof *data, device, stream));
  increment<<<4, 32, 0, stream>>>(data, 100);
  SAY(cudaMemPrefetchAsync(data, 100 * sizeof *data, cudaCpuDeviceId, stream));
  SAY(cudaEventRecordWithFlags(event, stream, cudaEventRecordDefault));
  SAY(cudaEventSynchronize(event));
  SAY(cudaMemcpyPeer(copy, 0, data, 0, 100 * sizeof *data));
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  increment<<<4, 32, 0, stream>>>(copy, 100);
  cudaStreamEndCapture(stream, &graph);
  SAY(cudaGraphInstantiate(&exec, graph, NULL, NULL, 0));
  SAY(cudaGraphLaunch(exec, stream));
  SAY(cudaThreadSynchronize());
  cudaMemcpy(data, copy, 100 * sizeof *data, cudaMemcpyDefault);
  std::printf("data %d\n", data[99]);
  data[0] = -1;
  data[1] = 0;
  claim<<<1, 32>>>(data);
  SAY(cudaDeviceSynchronize());
  std::printf("claimed %d %d\n", data[0], data[1]);
  SAY(cudaThreadExit());
}
