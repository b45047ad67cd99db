// A project of its own: adds two vectors on the GPU, compares with the CPU, prints a line to keep.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

// [kernel]
__global__ void add(const float* a, const float* b, int n, float* c) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}
// [/kernel]

void must(cudaError_t code, const char* what) {
  if (code == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(code));
  std::exit(1);
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 250;
  const std::size_t bytes = n * sizeof(float);
  std::vector<float> a(n), b(n), c(n);
  for (int i = 0; i < n; ++i) a[i] = 0.5f * i, b[i] = 1.0f * i * i;

  float *d_a = nullptr, *d_b = nullptr, *d_c = nullptr;
  must(cudaMalloc(&d_a, bytes), "room for a");
  must(cudaMalloc(&d_b, bytes), "room for b");
  must(cudaMalloc(&d_c, bytes), "room for c");
  must(cudaMemcpy(d_a, a.data(), bytes, cudaMemcpyHostToDevice), "a to the device");
  must(cudaMemcpy(d_b, b.data(), bytes, cudaMemcpyHostToDevice), "b to the device");
  add<<<(n + 255) / 256, 256>>>(d_a, d_b, n, d_c);
  must(cudaGetLastError(), "the launch");
  must(cudaMemcpy(c.data(), d_c, bytes, cudaMemcpyDeviceToHost), "c to the host");
  for (float* pointer : {d_a, d_b, d_c}) must(cudaFree(pointer), "the end of a vector");

  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += c[i] != a[i] + b[i];
  std::printf("n = %d, wrong = %d, last = %.1f\n", n, wrong, n > 0 ? c[n - 1] : 0.0f);
  return wrong == 0 ? 0 : 1;
}
