// Wrong: data, then flag; flag, then data, but no fence on either side. The stores may be seen in another
// order, and the second load may be done before the first.
// The check misses the writer's fence, although no message arrives torn here.
// expect: cpu exit 86 /unfenced message: .*message_without_fence\.cu:17.*without the data: 0/
// expect: gpu exit 1 /the flag without the data: [1-9]/
// expect: gpu exit 0 /the flag without the data: 0/
#include "../../03-first-gpu-program/check.hpp"

// [broken]
__global__ void message_kernel(volatile int* data, volatile int* flag, int* torn) {
  const int m = (blockIdx.x / 2 * blockDim.x + threadIdx.x) * 64;
  if (blockIdx.x % 2 == 0) {
    data[m] = 42;
    flag[m] = 1;
  } else {
    const bool up = flag[m] == 1;
    const bool there = data[m] == 42;
    if (up && !there) atomicAdd(torn, 1);
  }
}
// [/broken]

int main() {
  constexpr int messages = 1 << 16;
  constexpr std::size_t bytes = messages * 64 * sizeof(int);
  int torn = 0, *d_data = nullptr, *d_flag = nullptr, *d_torn = nullptr;
  CHECK(cudaMalloc(&d_data, bytes));
  CHECK(cudaMalloc(&d_flag, bytes));
  CHECK(cudaMalloc(&d_torn, sizeof(int)));
  CHECK(cudaMemset(d_torn, 0, sizeof(int)));
  for (int round = 0; round < 20; ++round) {
    CHECK(cudaMemset(d_data, 0, bytes));
    CHECK(cudaMemset(d_flag, 0, bytes));
    message_kernel<<<2 * messages / 64, 64>>>(d_data, d_flag, d_torn);
    CHECK(cudaGetLastError());
  }
  CHECK(cudaMemcpy(&torn, d_torn, sizeof(int), cudaMemcpyDeviceToHost));
  for (int* each : {d_data, d_flag, d_torn}) CHECK(cudaFree(each));
  std::printf("the flag without the data: %d of %d messages\n", torn, 20 * messages);
  return torn > 0 ? 1 : 0;
}
