// Which thread comes first? On a GPU nobody says; CPU_DEVICE_SEED shuffles.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void who_is_first(int* ticket, int* order) {
  order[atomicAdd(ticket, 1)] = blockIdx.x * blockDim.x + threadIdx.x;
}

int main() {
  int *ticket, *order;
  cudaMallocManaged(&ticket, sizeof *ticket);
  cudaMallocManaged(&order, 256 * sizeof *order);
  *ticket = 0;
  who_is_first<<<4, 64>>>(ticket, order);
  cudaDeviceSynchronize();
  for (int i = 0; i < 256; ++i) printf("%d ", order[i]);
  printf("\n");
}
