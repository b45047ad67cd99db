// Wrong: _sync was added to an old call, and no mask. The old call named the width, so it still has three
// arguments, and each has slid by one place: the value stands where the mask belongs.
// expect: cpu exit 86 /caller not in mask: .*mask_forgotten\.cu:10/
// expect: gpu exit 1 /cudaErrorIllegalInstruction/
#include "../../03-first-gpu-program/check.hpp"

// [broken]
__global__ void sum_kernel(int* sum) {
  int mine = 1 + threadIdx.x;
  for (int apart = 16; apart > 0; apart /= 2) mine += __shfl_down_sync(mine, apart, warpSize);
  if (threadIdx.x == 0) *sum = mine;
}
// [/broken]

int main() {
  int sum = -1, *d_sum = nullptr;
  CHECK(cudaMalloc(&d_sum, sizeof sum));
  sum_kernel<<<1, 32>>>(d_sum);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(d_sum));
  std::printf("sum %d, which is %s\n", sum, sum == 528 ? "right" : "wrong");
  return sum == 528 ? 0 : 1;
}
