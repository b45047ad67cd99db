// Wrong: no guard. Four blocks of 256 are 1024 threads for 1000 elements, and the last 24 write into the
// array behind.
// expect: cpu exit 1 /24 elements of the neighbour were overwritten/
// expect: gpu exit 1 /24 elements of the neighbour were overwritten/
#include <cstdio>

// [broken]
__global__ void scale_kernel(const int* a, int n, int* b) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = 3 * a[i] + 1;  // if (i < n) was meant before this
}
// [/broken]

int main() {
  constexpr int n = 1000, neighbour = 100;
  int *d_a = nullptr, *d_b = nullptr, after[neighbour], overwritten = 0;
  cudaMalloc(&d_a, 1024 * sizeof(int));
  cudaMemset(d_a, 0, 1024 * sizeof(int));
  cudaMalloc(&d_b, (n + neighbour) * sizeof(int));  // b, and another array right behind it
  cudaMemset(d_b, 0, (n + neighbour) * sizeof(int));

  scale_kernel<<<4, 256>>>(d_a, n, d_b);
  cudaMemcpy(after, d_b + n, sizeof after, cudaMemcpyDeviceToHost);

  std::printf("error: %s\n", cudaGetErrorName(cudaGetLastError()));
  for (const int value : after) overwritten += value != 0;
  std::printf("%d elements of the neighbour were overwritten\n", overwritten);
  return overwritten == 0 ? 0 : 1;
}
