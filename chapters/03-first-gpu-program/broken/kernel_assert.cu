// Wrong: the data break a promise that the kernel checks. assert() works in kernels, prints where it failed,
// and leaves a sticky error. With -DNDEBUG it is compiled away, as on the host.
// expect: cpu exit 86 /Assertion.*cudaErrorAssert/
// expect: gpu exit 1 /Assertion.*cudaErrorAssert/
#include <cassert>

#include "../check.hpp"

// [broken]
__global__ void sum_of_squares(const int* values, int n, int* sum) {
  int partial = 0;
  for (int i = 0; i < n; ++i) {
    assert(0 <= values[i] && values[i] <= 9);
    partial += values[i] * values[i];
  }
  *sum = partial;
}
// [/broken]

int main() {
  const int values[4] = {1, 2, 30, 4};
  int *d_values = nullptr, *d_sum = nullptr;
  CHECK(cudaMalloc(&d_values, sizeof values));
  CHECK(cudaMalloc(&d_sum, sizeof(int)));
  CHECK(cudaMemcpy(d_values, values, sizeof values, cudaMemcpyHostToDevice));
  sum_of_squares<<<1, 1>>>(d_values, 4, d_sum);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  return 0;
}
