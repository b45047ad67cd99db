// Wrong: the sum does not fit into 32 bits, on the device or on the host. Both wrap alike, so comparing the
// two finds nothing; only a sum in 64 bits tells. (-fwrapv or luck: on the host the overflow is undefined.)
// expect: cpu exit 1 /device -1292967296, host -1292967296: they agree; in 64 bits: 3002000000/
// expect: gpu exit 1 /device -1292967296, host -1292967296: they agree; in 64 bits: 3002000000/
#include "../check.hpp"

// [broken]
__host__ __device__ int sum_of_squares(const int* values, int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += values[i] * values[i];
  return sum;
}
// [/broken]

__global__ void kernel(const int* values, int n, int* sum) {
  *sum = sum_of_squares(values, n);
}

int main() {
  const int n = 3002;
  static int values[n];
  int *d_values = nullptr, *d_sum = nullptr, sum = -1;
  for (int& value : values) value = 1000;
  CHECK(cudaMalloc(&d_values, sizeof values));
  CHECK(cudaMalloc(&d_sum, sizeof(int)));
  CHECK(cudaMemcpy(d_values, values, sizeof values, cudaMemcpyHostToDevice));
  kernel<<<1, 1>>>(d_values, n, d_sum);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost));
  const int host = sum_of_squares(values, n);
  long long right = 0;
  for (const int value : values) right += 1LL * value * value;
  std::printf("device %d, host %d: they %s; in 64 bits: %lld\n", sum, host,
              sum == host ? "agree" : "differ", right);
  return sum == right ? 0 : 1;
}
