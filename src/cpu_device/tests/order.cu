// Which thread comes first? On a GPU nobody says; CPU_DEVICE_SEED shuffles lanes, warps and blocks.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

__global__ void who_is_first(int* ticket, int* order) {
  order[atomicAdd(ticket, 1)] = blockIdx.x * blockDim.x + threadIdx.x;
}

__global__ void last_lane(int* last) {
  *last = threadIdx.x;
}
__global__ void last_warp(int* last) {
  if (threadIdx.x % 32 == 0) *last = threadIdx.x / 32;
}
__global__ void last_block(int* last) {
  if (threadIdx.x == 0) *last = blockIdx.x;
}
__global__ void sum(int* total) {
  atomicAdd(total, blockIdx.x * blockDim.x + threadIdx.x);
}

int main(int argc, char** argv) {
  int *ticket, *order;
  cudaMallocManaged(&ticket, sizeof *ticket);
  cudaMallocManaged(&order, 256 * sizeof *order);
  *ticket = 0;
  const char* const name = argc > 1 ? argv[1] : "first";
  if (!std::strcmp(name, "lanes")) last_lane<<<1, 32>>>(ticket);
  if (!std::strcmp(name, "warps")) last_warp<<<1, 256>>>(ticket);
  if (!std::strcmp(name, "blocks")) last_block<<<16, 64>>>(ticket);
  if (!std::strcmp(name, "sum")) sum<<<4, 64>>>(ticket);
  if (!std::strcmp(name, "first")) who_is_first<<<4, 64>>>(ticket, order);
  cudaDeviceSynchronize();
  const bool all = !std::strcmp(name, "first");
  for (int i = 0; i < (all ? 256 : 1); ++i) printf("%d ", all ? order[i] : *ticket);
  printf("\n");
}
