// Streams: waits that are missing, buffers that are used again too early, events in the wrong place.
#include "cases.h"

constexpr int kCount = 4096, kBytes = kCount * sizeof(int);

__global__ void set(int* p, int value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  p[i] = value;  // LINE set
}
__global__ void add_one(const int* from, int* to) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = from[i] + 1;  // LINE add_one
}

struct Two {
  cudaStream_t first, second;
  cudaEvent_t event;
  Two() {
    cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    cudaEventCreate(&event);
  }
  ~Two() {
    cudaEventDestroy(event);
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
  }
};

int* pinned() {
  int* p;
  cudaMallocHost(&p, kBytes);
  for (int i = 0; i < kCount; ++i) p[i] = 7;
  return p;
}

void missing_wait(bool right) {
  Array<int> d(kCount);
  int* const h = pinned();
  const Two streams;
  set<<<kCount / 256, 256, 0, streams.first>>>(d, 5);
  cudaMemcpyAsync(h, d, kBytes, cudaMemcpyDeviceToHost, streams.first);  // LINE missing_copy
  if (right) cudaStreamSynchronize(streams.first);
  printf("%d\n", h[100]);  // LINE missing_wait
  cudaDeviceSynchronize();
  cudaFreeHost(h);
}

void early_reuse(bool right) {
  Array<int> d(kCount);
  int* const h = pinned();
  const Two streams;
  cudaMemcpyAsync(d, h, kBytes, cudaMemcpyHostToDevice, streams.first);  // LINE reuse_copy
  if (right) cudaStreamSynchronize(streams.first);
  h[100] = 8;  // LINE early_reuse
  int first[101];
  cudaMemcpyAsync(first, d, sizeof first, cudaMemcpyDeviceToHost, streams.first);
  printf("%d\n", first[100]);
  cudaFreeHost(h);
}

void early_free(bool right) {
  Array<int> d(kCount);
  int* const h = pinned();
  const Two streams;
  cudaMemcpyAsync(d, h, kBytes, cudaMemcpyHostToDevice, streams.first);  // LINE freed_copy
  if (right) cudaStreamSynchronize(streams.first);
  cudaFreeHost(h);  // LINE early_free
}

void wrong_event(bool right) {
  Array<int> d(kCount), result(kCount);
  const Two streams;
  set<<<kCount / 256, 256, 0, streams.first>>>(d, 5);
  cudaEventRecord(streams.event, right ? streams.first : streams.second);
  cudaStreamWaitEvent(streams.second, streams.event, 0);
  add_one<<<kCount / 256, 256, 0, streams.second>>>(d, result);
  int first = 0;
  cudaMemcpyAsync(&first, result, sizeof first, cudaMemcpyDeviceToHost, streams.second);
  printf("%d\n", first);
}

void copy_in_another_stream(bool right) {
  Array<int> d(kCount);
  int* const h = pinned();
  const Two streams;
  set<<<kCount / 256, 256, 0, streams.first>>>(d, 5);
  cudaStream_t stream = right ? streams.first : streams.second;
  cudaMemcpyAsync(h, d, kBytes, cudaMemcpyDeviceToHost, stream);  // LINE other_copy
  cudaStreamSynchronize(stream);
  printf("%d\n", h[100]);
  cudaDeviceSynchronize();
  cudaFreeHost(h);
}

// The default stream does not wait for streams that were created as non-blocking.
void late_fill(bool right) {
  Array<int> d(kCount), result(kCount);
  const Two streams;
  cudaMemset(d, 0, kBytes);  // LINE late_fill
  if (right) cudaStreamSynchronize(nullptr);
  add_one<<<kCount / 256, 256, 0, streams.first>>>(d, result);
  cudaStreamSynchronize(streams.first);
}

void lost_tail(bool right) {
  constexpr int kChunk = 1000;
  Array<int> d(kCount, false);
  int* const h = pinned();
  const Two streams;
  for (int begin = 0; begin < kCount; begin += kChunk) {
    int count = kChunk;
    if (begin + count > kCount) count = right ? kCount - begin : 0;
    cudaMemcpyAsync(d + begin, h + begin, count * sizeof(int), cudaMemcpyHostToDevice,
                    streams.first);
  }
  Array<int> result(kCount);
  cudaDeviceSynchronize();
  add_one<<<kCount / 256, 256, 0, streams.first>>>(d, result);
  cudaDeviceSynchronize();
  cudaFreeHost(h);
}

void device_pointer(bool right) {
  Array<int> d(kCount);
  int value = 0;
  if (right) {
    cudaMemcpy(&value, d + 100, sizeof value, cudaMemcpyDeviceToHost);
  } else {
    value = d[100];  // LINE device_pointer
  }
  printf("%d\n", value);
}

// A copy from pageable memory has read it, one to pageable memory is done, when the call returns.
void pageable(bool) {
  Array<int> d(kCount);
  int* const h = new int[kCount]();
  const Two streams;
  h[100] = 9;
  cudaMemcpyAsync(d, h, kBytes, cudaMemcpyHostToDevice, streams.first);
  h[100] = 8;
  cudaMemcpyAsync(h, d, kBytes, cudaMemcpyDeviceToHost, streams.first);
  printf("%d\n", h[100]);
  delete[] h;
}

// The default stream and ordinary streams wait for one another; the halves of one pinned array
// belong to different streams; polling comes to an end.
void ordered(bool) {
  Array<int> d(kCount);
  int* const h = pinned();
  cudaStream_t a, b;
  cudaStreamCreate(&a);
  cudaStreamCreate(&b);
  set<<<kCount / 256, 256, 0, a>>>(d, 3);
  add_one<<<kCount / 256, 256>>>(d, d);
  add_one<<<kCount / 256, 256, 0, b>>>(d, d);
  cudaStreamSynchronize(b);
  cudaMemcpyAsync(h, d, kBytes / 2, cudaMemcpyDeviceToHost, a);
  cudaMemcpyAsync(h + kCount / 2, d + kCount / 2, kBytes / 2, cudaMemcpyDeviceToHost, b);
  while (cudaStreamQuery(a) == cudaErrorNotReady) {
  }
  printf("%d ", h[10]);
  cudaStreamSynchronize(b);
  printf("%d\n", h[kCount - 1]);
  cudaStreamDestroy(a);
  cudaStreamDestroy(b);
  cudaFreeHost(h);
}

int main(int argc, char** argv) {
  const Case cases[] = {{"missing_wait", missing_wait},
                        {"early_reuse", early_reuse},
                        {"early_free", early_free},
                        {"wrong_event", wrong_event},
                        {"lost_tail", lost_tail},
                        {"device_pointer", device_pointer},
                        {"pageable", pageable},
                        {"ordered", ordered},
                        {"other_stream", copy_in_another_stream},
                        {"late_fill", late_fill}};
  return run_case(argc, argv, cases);
}
