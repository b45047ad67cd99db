// Wrong: sixteen bytes are read with one load from an address that is a multiple of 4 only.
// expect: cpu exit 86 /misaligned load of 16 bytes.*cudaErrorMisalignedAddress/
// expect: gpu exit 1 /cudaErrorMisalignedAddress/
#include "../../03-first-gpu-program/check.hpp"

// [broken]
__global__ void sum_kernel(const int* values, int* sum) {
  const int4 four = *reinterpret_cast<const int4*>(values);
  *sum = four.x + four.y + four.z + four.w;
}
// [/broken]

int main() {
  const int values[5] = {0, 1, 2, 3, 4};
  int *d_values = nullptr, *d_sum = nullptr, sum = -1;
  CHECK(cudaMalloc(&d_values, sizeof values));
  CHECK(cudaMalloc(&d_sum, sizeof sum));
  CHECK(cudaMemcpy(d_values, values, sizeof values, cudaMemcpyHostToDevice));
  sum_kernel<<<1, 1>>>(d_values + 1, d_sum);  // the array begins at the second element
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(d_values));
  CHECK(cudaFree(d_sum));
  std::printf("sum = %d\n", sum);
  return 0;
}
