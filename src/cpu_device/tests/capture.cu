// Captures: what a call that is not permitted does to the capture, what joins one, and how it ends.
// Each case prints the errors of its calls, then the capture's status and what ending it gives.
#include <cstdio>

__global__ void nothing() {}
__global__ void put(int* data, int value) {
  *data = value;
}

#define SAY(call) std::printf("  %s: %s\n", #call, cudaGetErrorName(call))

cudaStream_t origin, other, free_one;  // the last does not wait for the legacy stream
cudaEvent_t before, event;
int *data, *host;

template <class Body>
void capture(const char* name, cudaStreamCaptureMode mode, cudaStream_t stream, Body body) {
  std::printf("%s\n", name);
  cudaStreamBeginCapture(stream, mode);
  body();
  cudaGetLastError();
  cudaStreamCaptureStatus status;
  cudaStreamIsCapturing(stream, &status);
  std::printf("  status %d\n", status);
  cudaGraph_t graph = nullptr;
  SAY(cudaStreamEndCapture(stream, &graph));
  std::printf("  %s graph, last error %s\n", graph ? "a" : "no",
              cudaGetErrorName(cudaGetLastError()));
  cudaStreamIsCapturing(stream, &status);
  if (status) std::printf("  still captured\n");
  if (graph) cudaGraphDestroy(graph);
}

#define CALL(call) \
  capture("global, blocking stream", cudaStreamCaptureModeGlobal, origin, [] { SAY(call); })
#define CALL_LOCAL(call) \
  capture("this thread's", cudaStreamCaptureModeThreadLocal, origin, [] { SAY(call); })
#define CALL_RELAXED(call) \
  capture("relaxed", cudaStreamCaptureModeRelaxed, origin, [] { SAY(call); })
#define CALL_FREE(call)                                                                \
  capture("global, stream that waits for none", cudaStreamCaptureModeGlobal, free_one, \
          [] { SAY(call); })

void calls() {
  int* more = nullptr;
  size_t bytes = 0;
  cudaStream_t stream;
  cudaEvent_t another;
  static int** place;
  static size_t* size;
  static cudaStream_t* new_stream;
  static cudaEvent_t* new_event;
  place = &more;
  size = &bytes;
  new_stream = &stream;
  new_event = &another;
  static int occupancy;
  CALL(cudaStreamSynchronize(origin));
  CALL(cudaStreamSynchronize(other));
  CALL(cudaStreamQuery(origin));
  CALL(cudaStreamQuery(other));
  CALL(cudaDeviceSynchronize());
  CALL(cudaEventSynchronize(before));
  CALL(cudaEventQuery(before));
  CALL(cudaMalloc(place, 4));
  CALL(cudaMallocManaged(place, 4));
  CALL(cudaMallocHost(place, 4));
  CALL(cudaHostAlloc(place, 4, 0));
  CALL(cudaFree(nullptr));
  CALL(cudaFree(*place));
  CALL(cudaMemGetInfo(size, size));
  CALL(cudaMemcpy(data, data + 1, 4, cudaMemcpyDefault));
  CALL(cudaMemcpyAsync(data, data + 1, 4, cudaMemcpyDefault));
  CALL(cudaMemset(data, 0, 4));
  CALL(cudaLaunchKernel(nothing, dim3(1), dim3(1), nullptr, 0, nullptr));
  CALL(cudaLaunchKernel(nothing, dim3(1), dim3(1), nullptr, 0, cudaStreamPerThread));
  CALL(cudaLaunchKernel(nothing, dim3(1), dim3(1), nullptr, 0, other));
  CALL(cudaEventRecord(event, nullptr));
  CALL(cudaEventRecord(event, other));
  CALL(cudaStreamWaitEvent(origin, before));
  CALL(cudaStreamCreate(new_stream));
  CALL(cudaEventCreate(new_event));
  CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&occupancy, nothing, 32, 0));
  CALL(cudaFuncSetAttribute(nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, 60000));
  CALL(cudaStreamBeginCapture(origin, cudaStreamCaptureModeGlobal));
  CALL(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal));
  CALL(cudaLaunchKernel(nothing, dim3(0), dim3(1), nullptr, 0, origin));
  CALL_LOCAL(cudaMalloc(place, 4));
  CALL_LOCAL(cudaMemcpy(data, data + 1, 4, cudaMemcpyDefault));
  CALL_RELAXED(cudaMalloc(place, 4));
  CALL_RELAXED(cudaFree(*place));
  CALL_RELAXED(cudaStreamSynchronize(other));
  CALL_RELAXED(cudaStreamSynchronize(origin));
  CALL_RELAXED(cudaDeviceSynchronize());
  CALL_RELAXED(cudaMemcpy(data, data + 1, 4, cudaMemcpyDefault));
  CALL_RELAXED(cudaLaunchKernel(nothing, dim3(1), dim3(1), nullptr, 0, nullptr));
  CALL_FREE(cudaMalloc(place, 4));
  CALL_FREE(cudaDeviceSynchronize());
  CALL_FREE(cudaMemcpy(data, data + 1, 4, cudaMemcpyDefault));
  CALL_FREE(cudaLaunchKernel(nothing, dim3(1), dim3(1), nullptr, 0, nullptr));
}

void fork(bool work, bool join) {
  SAY(cudaEventRecord(event, origin));
  SAY(cudaStreamWaitEvent(other, event));
  if (work) put<<<1, 1, 0, other>>>(data, 1);
  if (join) {
    SAY(cudaEventRecord(event, other));
    SAY(cudaStreamWaitEvent(origin, event));
  }
}

int main() {
  cudaStreamCreate(&origin);
  cudaStreamCreate(&other);
  cudaStreamCreateWithFlags(&free_one, cudaStreamNonBlocking);
  cudaEventCreate(&before);
  cudaEventCreate(&event);
  cudaEventRecord(before, other);
  cudaMalloc(&data, 8);
  cudaMallocHost(&host, 8);
  cudaDeviceSynchronize();
  calls();

  const auto mode = cudaStreamCaptureModeGlobal;
  capture("after an error", mode, origin, [] {
    SAY(cudaStreamSynchronize(origin));
    SAY(cudaLaunchKernel(nothing, dim3(1), dim3(1), nullptr, 0, origin));
    SAY(cudaEventRecord(event, origin));
    SAY(cudaStreamWaitEvent(other, event));
  });
  capture("a captured event", mode, origin, [] {
    SAY(cudaEventRecord(event, origin));
    SAY(cudaEventSynchronize(event));
  });
  capture("a captured event is asked", mode, origin, [] {
    SAY(cudaEventRecord(event, origin));
    SAY(cudaEventQuery(event));
  });
  SAY(cudaStreamWaitEvent(other, event));  // its capture has ended
  SAY(cudaEventQuery(event));
  SAY(cudaEventSynchronize(event));
  cudaGetLastError();
  capture("fork without work", mode, origin, [] { fork(false, false); });
  capture("fork with work, not joined", mode, origin, [] { fork(true, false); });
  capture("fork and join", mode, origin, [] { fork(true, true); });
  capture("ended by another", mode, origin, [] {
    fork(true, true);
    cudaGraph_t graph;
    SAY(cudaStreamEndCapture(other, &graph));
  });
  capture("two captures that meet", mode, origin, [] {
    cudaGraph_t graph;
    SAY(cudaStreamBeginCapture(other, cudaStreamCaptureModeGlobal));
    SAY(cudaEventRecord(event, origin));
    SAY(cudaStreamWaitEvent(other, event));
    SAY(cudaStreamEndCapture(other, &graph));
  });
  std::printf("destroyed\n");
  cudaStream_t gone;
  cudaStreamCreate(&gone);
  SAY(cudaStreamBeginCapture(gone, mode));
  SAY(cudaStreamDestroy(gone));
  SAY(cudaStreamSynchronize(other));
  cudaStreamCaptureMode mine = cudaStreamCaptureModeRelaxed;
  SAY(cudaThreadExchangeStreamCaptureMode(&mine));
  capture("a relaxed thread", mode, origin, [] { SAY(cudaStreamSynchronize(other)); });
  SAY(cudaThreadExchangeStreamCaptureMode(&mine));

  // A fork is one: only the edges say what comes after what.
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStreamBeginCapture(origin, mode);
  put<<<1, 1, 0, origin>>>(data, 1);
  fork(true, true);
  cudaMemcpyAsync(host, data, 4, cudaMemcpyDeviceToHost, origin);
  SAY(cudaStreamEndCapture(origin, &graph));
  size_t nodes = 0, edges = 0;
  cudaGraphGetNodes(graph, nullptr, &nodes);
  cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges);
  std::printf("%zu nodes, %zu edges\n", nodes, edges);
  SAY(cudaGraphInstantiate(&exec, graph));
  SAY(cudaGraphLaunch(exec, origin));
  SAY(cudaDeviceSynchronize());
  std::printf("host %d\n", *host);
  SAY(cudaGraphExecDestroy(nullptr));
  SAY(cudaGraphDestroy(nullptr));
}
