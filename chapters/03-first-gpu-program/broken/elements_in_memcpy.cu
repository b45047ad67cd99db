// Wrong: cudaMemcpy is told a number of elements. It counts bytes, so a quarter arrives. No call fails.
// expect: cpu exit 1 /250 of 1000 elements arrived/
// expect: gpu exit 1 /250 of 1000 elements arrived/
#include "../check.hpp"

int main() {
  // [broken]
  const int n = 1000;
  int values[n], back[n], arrived = 0;
  int* d_values = nullptr;
  for (int& value : values) value = 7;
  CHECK(cudaMalloc(&d_values, sizeof values));
  CHECK(cudaMemset(d_values, 0, sizeof values));
  CHECK(cudaMemcpy(d_values, values, n, cudaMemcpyHostToDevice));  // n * sizeof(int) was meant
  CHECK(cudaMemcpy(back, d_values, sizeof back, cudaMemcpyDeviceToHost));
  for (const int value : back) arrived += value == 7;
  std::printf("%d of %d elements arrived\n", arrived, n);
  // [/broken]
  return arrived == n ? 0 : 1;
}
