// Wrong: a block of 2048 threads, and nobody asks whether the launch was accepted. No message appears by
// itself: the kernel does not run, and the old value stays.
// expect: cpu exit 1 /value is 0, not 7\n.*said: cudaError\w+/
// expect: gpu exit 1 /value is 0, not 7\n.*said: cudaError\w+/
#include <cstdio>

__global__ void set_kernel(int* value) {
  if (threadIdx.x == 0) *value = 7;
}

int main() {
  int *d_value = nullptr, value = -1;
  cudaMalloc(&d_value, sizeof(int));
  cudaMemset(d_value, 0, sizeof(int));

  // [broken]
  set_kernel<<<1, 2048>>>(d_value);  // at most 1024 threads a block
  cudaMemcpy(&value, d_value, sizeof(int), cudaMemcpyDeviceToHost);
  // [/broken]

  std::printf("value is %d, not 7\n", value);
  std::printf("cudaGetLastError() would have said: %s\n", cudaGetErrorName(cudaGetLastError()));
  return value == 7 ? 0 : 1;
}
