// Wrong: n / 256 blocks. Integer division rounds down, and the last 232 of 1000 elements have no thread.
// expect: cpu exit 1 /232 of 1000 elements were never written/
// expect: gpu exit 1 /232 of 1000 elements were never written/
#include <cstdio>

__global__ void scale_kernel(const int* a, int n, int* b) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = 3 * a[i] + 1;
}

int main() {
  constexpr int n = 1000;
  static int b[n];
  int *d_a = nullptr, *d_b = nullptr, unwritten = 0;
  cudaMalloc(&d_a, sizeof b);
  cudaMalloc(&d_b, sizeof b);
  cudaMemset(d_a, 0, sizeof b);
  cudaMemset(d_b, 0, sizeof b);

  // [broken]
  scale_kernel<<<n / 256, 256>>>(d_a, n, d_b);  // (n + 255) / 256 was meant
  // [/broken]
  cudaMemcpy(b, d_b, sizeof b, cudaMemcpyDeviceToHost);

  for (const int value : b) unwritten += value != 1;
  std::printf("%d of %d elements were never written\n", unwritten, n);
  return unwritten == 0 ? 0 : 1;
}
