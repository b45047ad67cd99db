// Wrong: the barrier stands inside the branch, so only the first half of the threads comes to it. What then
// happens is undefined: nothing, a wrong sum, or a kernel that never ends.
// The check names the branch, where some go past, and the barrier, where the others wait.
// expect: cpu exit 86 /divergent barrier: .*barrier_in_branch\.cu:17.*barrier_in_branch\.cu:19/
// expect: gpu exit 0 /sum 2016, which is right/
// expect: gpu exit 1 /which is wrong/
// expect: synccheck exit 86 /Barrier error detected. Divergent thread\(s\)/
#include "../../03-first-gpu-program/check.hpp"

// [broken]
__global__ void sum_kernel(int* sum) {
  __shared__ int part[64];
  const int t = threadIdx.x;
  part[t] = t;
  __syncthreads();
  for (int half = 32; half > 0; half /= 2)
    if (t < half) {
      part[t] += part[t + half];
      __syncthreads();  // threads from `half` on never come here
    }
  if (t == 0) *sum = part[0];
}
// [/broken]

int main() {
  int sum = -1, *d_sum = nullptr;
  CHECK(cudaMalloc(&d_sum, sizeof sum));
  sum_kernel<<<1, 64>>>(d_sum);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(d_sum));
  std::printf("sum %d, which is %s\n", sum, sum == 2016 ? "right" : "wrong");
  return sum == 2016 ? 0 : 1;
}
