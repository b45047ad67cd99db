// Wrong: `<=` writes one element past the end. The device guards pages, not arrays: such a write usually
// goes unnoticed, and the next array pays. compute-sanitizer and the CPU device name the line.
// expect: cpu exit 86 /past the end of an allocation of 400 bytes.*out_of_bounds_write\.cu:11/
// expect: gpu exit 0 /no error was reported/
// expect: gpu exit 1 /cudaErrorIllegalAddress/
// expect: sanitizer exit 86 /Invalid __global__ write of size 4 bytes/
#include "../check.hpp"

// [broken]
__global__ void fill(int* out, int n) {
  for (int i = 0; i <= n; ++i) out[i] = 7;  // i == n is outside
}
// [/broken]

int main() {
  const int n = 100;
  int* d_out = nullptr;
  CHECK(cudaMalloc(&d_out, n * sizeof(int)));
  fill<<<1, 1>>>(d_out, n);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  std::printf("no error was reported\n");
  return 0;
}
