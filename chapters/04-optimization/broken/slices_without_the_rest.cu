// Wrong: the slices are n / threads long, rounded down. What is left of the division belongs to nobody.
// expect: cpu exit 1 /sum 9728, expected 10000/
// expect: gpu exit 1 /sum 9728, expected 10000/
#include <cstdio>
#include <vector>

// [broken]
__global__ void sum_kernel(const int* values, int n, int* partials) {
  const int slice = n / blockDim.x;  // (n + blockDim.x - 1) / blockDim.x was meant, and a guard
  int partial = 0;
  for (int i = threadIdx.x * slice; i < (threadIdx.x + 1) * slice; ++i) partial += values[i];
  partials[threadIdx.x] = partial;
}
// [/broken]

int main() {
  constexpr int n = 10'000, threads = 512;
  std::vector<int> ones(n, 1), partials(threads);
  int *d_values = nullptr, *d_partials = nullptr, sum = 0;
  cudaMalloc(&d_values, n * sizeof(int));
  cudaMalloc(&d_partials, threads * sizeof(int));
  cudaMemcpy(d_values, ones.data(), n * sizeof(int), cudaMemcpyHostToDevice);

  sum_kernel<<<1, threads>>>(d_values, n, d_partials);
  cudaMemcpy(partials.data(), d_partials, threads * sizeof(int), cudaMemcpyDeviceToHost);

  for (const int partial : partials) sum += partial;
  std::printf("sum %d, expected %d\n", sum, n);
  return sum == n ? 0 : 1;
}
