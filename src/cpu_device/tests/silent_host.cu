// Hosts that wait without calling the API: for a host function, a callback, a kernel's flag.
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <mutex>

__global__ void store(int* target, int value) {
  *target = value;
}

std::atomic<bool> called{false};
void note(void*) {
  called = true;
}

struct Signal {
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false;
};
void raise(cudaStream_t, cudaError_t status, void* data) {
  auto& signal = *static_cast<Signal*>(data);
  std::lock_guard lock(signal.mutex);
  signal.done = status == cudaSuccess;
  signal.changed.notify_one();
}

int main() {
  cudaStream_t stream;
  cudaEvent_t event;
  int *data, copy = 0;
  cudaStreamCreate(&stream);
  cudaEventCreate(&event);
  cudaMalloc(&data, sizeof *data);

  store<<<1, 1, 0, stream>>>(data, 5);
  cudaLaunchHostFunc(stream, note, nullptr);
  while (!called) {
  }
  cudaMemcpy(&copy, data, sizeof copy, cudaMemcpyDeviceToHost);
  std::printf("host function %d\n", copy);

  Signal signal;
  store<<<1, 1, 0, stream>>>(data, 6);
  cudaStreamAddCallback(stream, raise, &signal, 0);
  std::unique_lock lock(signal.mutex);
  signal.changed.wait(lock, [&] { return signal.done; });
  cudaMemcpy(&copy, data, sizeof copy, cudaMemcpyDeviceToHost);
  std::printf("callback %d\n", copy);

  for (int i = 0; i < 3; ++i) store<<<1, 1, 0, stream>>>(data, 7 + i);
  cudaEventRecord(event, stream);
  while (cudaEventQuery(event) == cudaErrorNotReady) {
  }
  store<<<1, 1, 0, stream>>>(data, 10);
  while (cudaStreamQuery(stream) == cudaErrorNotReady) {
  }
  cudaMemcpy(&copy, data, sizeof copy, cudaMemcpyDeviceToHost);
  std::printf("queries %d\n", copy);

  int *flag, *on_device;
  cudaHostAlloc(&flag, sizeof *flag, cudaHostAllocMapped);
  cudaHostGetDevicePointer(&on_device, flag, 0);
  *flag = 0;
  store<<<1, 1, 0, stream>>>(on_device, 11);
  while (*const_cast<volatile int*>(flag) != 11) {
  }
  std::printf("mapped memory %d\n", *flag);

  called = false;
  cudaLaunchHostFunc(stream, note, nullptr);  // nobody waits: the program just ends
}
