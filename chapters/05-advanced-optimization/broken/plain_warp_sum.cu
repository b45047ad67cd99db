// Wrong: the lanes of a warp exchange through shared memory without __syncwarp, and without volatile. Besides
// lanes that run ahead, the compiler may load early what another lane is still to write.
// expect: cpu exit 86 /race: .*__syncwarp/
// expect: gpu exit 1 /which is wrong/
// expect: gpu exit 0 /which is right/
// expect: racecheck exit 86 /hazard/
#include "../../03-first-gpu-program/check.hpp"

// [broken]
__global__ void sum_kernel(int* sum) {
  __shared__ int part[64];  // 32 lanes write; the rest stays 0
  const int t = threadIdx.x;
  part[t] = t;
  part[t + 32] = 0;
  part[t] += part[t + 16];
  part[t] += part[t + 8];
  part[t] += part[t + 4];
  part[t] += part[t + 2];
  part[t] += part[t + 1];
  if (t == 0) *sum = part[0];
}
// [/broken]

int main() {
  int sum = -1, *d_sum = nullptr;
  CHECK(cudaMalloc(&d_sum, sizeof sum));
  sum_kernel<<<1, 32>>>(d_sum);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(d_sum));
  std::printf("sum %d, which is %s\n", sum, sum == 496 ? "right" : "wrong");
  return sum == 496 ? 0 : 1;
}
