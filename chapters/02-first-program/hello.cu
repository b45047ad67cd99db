// The smallest complete program: eight GPU threads say where they stand.
#include <cstdio>

__global__ void hello_kernel() {
  printf("hello from block %u, thread %u\n", blockIdx.x, threadIdx.x);
}

int main() {
  hello_kernel<<<2, 4>>>();
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
