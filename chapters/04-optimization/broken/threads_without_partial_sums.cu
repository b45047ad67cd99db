// Wrong: the block grew from 512 threads to 1024, the array of partial sums did not.
// expect: cpu exit 1 /sum 5120, expected 10000; 512 sums were written over the neighbour/
// expect: gpu exit 1 /sum 5120, expected 10000; 512 sums were written over the neighbour/
#include <cstdio>
#include <vector>

__global__ void sum_kernel(const int* values, int n, int* partials) {
  int partial = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) partial += values[i];
  partials[threadIdx.x] = partial;
}

int main() {
  constexpr int n = 10'000;
  std::vector<int> ones(n, 1), partials(512), neighbour(512);
  int *d_values = nullptr, *d_partials = nullptr, sum = 0, overwritten = 0;
  cudaMalloc(&d_values, n * sizeof(int));
  cudaMalloc(&d_partials, 1024 * sizeof(int));  // 512 partial sums, and a neighbour of 512 zeros
  cudaMemset(d_partials, 0, 1024 * sizeof(int));
  cudaMemcpy(d_values, ones.data(), n * sizeof(int), cudaMemcpyHostToDevice);

  // [broken]
  sum_kernel<<<1, 1024>>>(d_values, n, d_partials);  // as many threads as there are partial sums
  cudaMemcpy(partials.data(), d_partials, 512 * sizeof(int), cudaMemcpyDeviceToHost);
  for (const int partial : partials) sum += partial;
  // [/broken]

  cudaMemcpy(neighbour.data(), d_partials + 512, 512 * sizeof(int), cudaMemcpyDeviceToHost);
  for (const int value : neighbour) overwritten += value != 0;
  std::printf("sum %d, expected %d; %d sums were written over the neighbour\n", sum, n,
              overwritten);
  return sum == n ? 0 : 1;
}
