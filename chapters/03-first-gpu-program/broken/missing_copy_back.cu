// Wrong: the answer is on the device, and nobody fetches it. The host reads its own, untouched variable.
// expect: cpu exit 1 /sum = -1, expected 285/
// expect: gpu exit 1 /sum = -1, expected 285/
#include "../check.hpp"

__global__ void sum_of_squares(const int* values, int n, int* sum) {
  int partial = 0;
  for (int i = 0; i < n; ++i) partial += values[i] * values[i];
  *sum = partial;
}

int main() {
  // [broken]
  const int values[10] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  int *d_values = nullptr, *d_sum = nullptr, sum = -1;
  CHECK(cudaMalloc(&d_values, sizeof values));
  CHECK(cudaMalloc(&d_sum, sizeof(int)));
  CHECK(cudaMemcpy(d_values, values, sizeof values, cudaMemcpyHostToDevice));
  sum_of_squares<<<1, 1>>>(d_values, 10, d_sum);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());  // here a copy from d_sum to &sum is missing
  std::printf("sum = %d, expected 285\n", sum);
  // [/broken]
  return sum == 285 ? 0 : 1;
}
