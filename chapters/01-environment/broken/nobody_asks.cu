// Wrong: no call is asked whether it worked. Where nothing can run, the program still prints.
// Build it for a GPU that you do not have, or start it where no driver is.
// expect: nogpu exit 1 /41 \+ 1 = 41/
// expect: cpu not-run: the CPU device is there, so the program works
#include <cuda_runtime.h>

#include <cstdio>

// [main]
__global__ void add_one_kernel(int* value) {
  *value += 1;
}

int main() {
  int value = 41;
  int* d_value = nullptr;
  cudaMalloc(&d_value, sizeof value);
  cudaMemcpy(d_value, &value, sizeof value, cudaMemcpyHostToDevice);
  add_one_kernel<<<1, 1>>>(d_value);
  cudaMemcpy(&value, d_value, sizeof value, cudaMemcpyDeviceToHost);
  cudaFree(d_value);
  std::printf("41 + 1 = %d\n", value);
  return value == 42 ? 0 : 1;
}
// [/main]
