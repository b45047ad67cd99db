// Evidence: a kernel can launch a kernel. A program of its own, since it needs relocatable device code:
//
//     nvcc -arch=native -rdc=true device_launch.cu -lcudadevrt -o device_launch
//
// expect: gpu exit 0 /the child ran 4 blocks, launched from the device/
// expect: cpu not-run: the CPU device runs no launches from a kernel
#include <cstdio>

// [kernel]
__global__ void child_kernel(int* blocks) {
  atomicAdd(blocks, 1);
}

__global__ void parent_kernel(int* blocks) {
  child_kernel<<<4, 1>>>(blocks);
}
// [/kernel]

int main() {
  int* d_blocks = nullptr;
  int blocks = 0;
  if (cudaMalloc(&d_blocks, sizeof(int)) != cudaSuccess) return 1;
  if (cudaMemset(d_blocks, 0, sizeof(int)) != cudaSuccess) return 1;

  parent_kernel<<<1, 1>>>(d_blocks);
  if (cudaGetLastError() != cudaSuccess) return 1;
  // The copy waits for the parent, and a parent is not done before its children are.
  if (cudaMemcpy(&blocks, d_blocks, sizeof(int), cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
  std::printf("the child ran %d blocks, launched from the device\n", blocks);
  return cudaFree(d_blocks) == cudaSuccess && blocks == 4 ? 0 : 1;
}
