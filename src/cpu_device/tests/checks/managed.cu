// Memory that the host and a kernel both reach: managed, and mapped pinned memory.
#include "cases.h"

constexpr int kCount = 4096;  // several pages

__global__ void twice(int* p, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = 2 * p[i];  // LINE twice
}
__global__ void sum_up(const int* p, int n, int* sum) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(sum, p[i]);  // LINE sum_up
}

struct Managed {
  int* data = nullptr;
  explicit Managed(int count) {
    cudaMallocManaged(&data, count * sizeof(int));
    for (int i = 0; i < count; ++i) data[i] = i;
  }
  ~Managed() { cudaFree(data); }
};

void read_early(bool right) {
  Managed m(kCount);
  twice<<<kCount / 256, 256>>>(m.data, kCount);
  if (right) cudaDeviceSynchronize();
  printf("%d\n", m.data[3000]);  // LINE read_early
}
void write_early(bool right) {
  Managed m(kCount), sum(1);
  sum_up<<<kCount / 256, 256>>>(m.data, kCount, sum.data);
  if (right) cudaDeviceSynchronize();
  m.data[100] = 7;  // LINE write_early
}
// The page is read before, where the kernel does nothing.
void write_after_read(bool right) {
  Managed m(kCount);
  twice<<<1, 256>>>(m.data, 200);
  const int other = m.data[500];
  if (right) cudaDeviceSynchronize();
  m.data[100] = other;  // LINE write_after_read
}
void mapped(bool right) {
  int *host, *device;
  cudaHostAlloc(&host, kCount * sizeof(int), cudaHostAllocMapped);
  for (int i = 0; i < kCount; ++i) host[i] = i;
  cudaHostGetDevicePointer(&device, host, 0);
  twice<<<kCount / 256, 256>>>(device, kCount);
  if (right) cudaDeviceSynchronize();
  printf("%d\n", host[100]);  // LINE mapped
  cudaDeviceSynchronize();
  cudaFreeHost(host);
}
// The host uses the other half, reads what the kernel only reads, waits for the stream or an event,
// or uses an array that an earlier launch had.
void shared_fairly(bool) {
  Managed m(kCount), n(kCount), sum(1);
  twice<<<kCount / 512, 256>>>(m.data, kCount / 2);
  for (int i = kCount / 2; i < kCount; ++i) m.data[i] = m.data[i] + 1;
  sum_up<<<kCount / 256, 256>>>(n.data, kCount, sum.data);
  int total = 0;
  for (int i = 0; i < kCount; ++i) total += n.data[i];
  cudaEvent_t done;
  cudaEventCreate(&done);
  cudaEventRecord(done);
  twice<<<kCount / 256, 256>>>(n.data, kCount);
  cudaEventSynchronize(done);
  printf("%d %d %d\n", m.data[100], sum.data[0] == total, total);
  cudaEventDestroy(done);
}

int main(int argc, char** argv) {
  const Case cases[] = {{"read_early", read_early},
                        {"write_early", write_early},
                        {"write_after_read", write_after_read},
                        {"mapped", mapped},
                        {"shared_fairly", shared_fairly}};
  return run_case(argc, argv, cases);
}
