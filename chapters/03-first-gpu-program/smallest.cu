// The smallest complete program: sums the squares of 1,048,576 numbers on one GPU thread.
#include <cstdlib>
#include <vector>

#include "check.hpp"

// [kernel]
__global__ void sum_of_squares(const int* values, int n, long long* sum) {
  long long partial = 0;
  for (int i = 0; i < n; ++i) partial += values[i] * values[i];
  *sum = partial;
}
// [/kernel]

int main() {
  // [input]
  const int n = 1 << 20;
  std::vector<int> values(n);
  for (int& value : values) value = std::rand() % 10;
  // [/input]

  // [device]
  int* d_values = nullptr;
  long long* d_sum = nullptr;
  CHECK(cudaMalloc(&d_values, n * sizeof(int)));  // 1. room on the device
  CHECK(cudaMalloc(&d_sum, sizeof(long long)));
  CHECK(cudaMemcpy(d_values, values.data(), n * sizeof(int), cudaMemcpyHostToDevice));  // 2. there

  sum_of_squares<<<1, 1>>>(d_values, n, d_sum);  // 3. work: one block of one thread
  CHECK(cudaGetLastError());

  long long sum = -1;
  CHECK(cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost));  // 4. and back
  CHECK(cudaFree(d_values));                                           // 5. away
  CHECK(cudaFree(d_sum));
  // [/device]

  // [compare]
  long long want = 0;
  for (const int value : values) want += value * value;
  std::printf("sum of squares: %lld, expected %lld: %s\n", sum, want,
              sum == want ? "right" : "wrong");
  return sum == want ? 0 : 1;
  // [/compare]
}
