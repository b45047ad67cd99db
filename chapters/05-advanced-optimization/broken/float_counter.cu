// Wrong: it counts in a float. From 2^24 on, one more is the same number.
// expect: cpu exit 1 /counted 16777216 of 20000000/
// expect: gpu exit 1 /counted 16777216 of 20000000/
#include <cstdio>

#include "../../03-first-gpu-program/check.hpp"

// [broken]
__global__ void count_kernel(int n, float* counted) {
  float count = 0;
  for (int i = 0; i < n; ++i) count += 1;
  *counted = count;
}
// [/broken]

int main() {
  float *d_count = nullptr, count = -1;
  CHECK(cudaMalloc(&d_count, sizeof(float)));
  count_kernel<<<1, 1>>>(20'000'000, d_count);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(&count, d_count, sizeof count, cudaMemcpyDeviceToHost));
  std::printf("counted %.9g of 20000000\n", double{count});
  return count == 20'000'000 ? 0 : 1;
}
