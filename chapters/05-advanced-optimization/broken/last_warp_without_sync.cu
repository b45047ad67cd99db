// Wrong: an old trick. The last warp adds its 64 partial sums without any synchronisation, because "a warp
// runs in lockstep". No rule says so since Volta. A GPU may give the right answer all the same.
// expect: cpu exit 86 /race: .* of shared memory.*which is wrong/
// expect: gpu exit 0 /sum 2080, which is right/
// expect: gpu exit 1 /sum \d+, which is wrong/
#include "../../03-first-gpu-program/check.hpp"

// [broken]
__global__ void sum_kernel(const int* values, int* sum) {
  __shared__ volatile int partial[64];
  const int t = static_cast<int>(threadIdx.x);
  partial[t] = values[t];
  __syncthreads();

  if (t < 32) {
    partial[t] = partial[t] + partial[t + 32];
    partial[t] = partial[t] + partial[t + 16];
    partial[t] = partial[t] + partial[t + 8];
    partial[t] = partial[t] + partial[t + 4];
    partial[t] = partial[t] + partial[t + 2];
    partial[t] = partial[t] + partial[t + 1];
  }
  if (t == 0) *sum = partial[0];
}
// [/broken]

int main() {
  int values[64], *d_values = nullptr, *d_sum = nullptr, sum = -1;
  for (int i = 0; i < 64; ++i) values[i] = i + 1;
  CHECK(cudaMalloc(&d_values, sizeof values));
  CHECK(cudaMalloc(&d_sum, sizeof sum));
  CHECK(cudaMemcpy(d_values, values, sizeof values, cudaMemcpyHostToDevice));
  sum_kernel<<<1, 64>>>(d_values, d_sum);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost));
  std::printf("sum %d, which is %s\n", sum, sum == 2080 ? "right" : "wrong");
  return sum == 2080 ? 0 : 1;
}
