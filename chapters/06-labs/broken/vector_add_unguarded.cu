// Wrong: 256 threads for 250 elements, and no guard. The device does not notice: the room behind an array of
// 1000 bytes is nobody's. compute-sanitizer and the CPU device name the line.
// expect: cpu exit 86 /past the end of an allocation of 1000 bytes.*vector_add_unguarded\.cu:13/
// expect: gpu exit 0 /wrong: 0 of 250/
// expect: gpu exit 1 /cudaErrorIllegalAddress/
// expect: sanitizer exit 86 /Invalid __global__ read of size 4 bytes/
#include <vector>
#include "../../03-first-gpu-program/check.hpp"

// [broken]
__global__ void add(const float* a, const float* b, float* c) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  c[i] = a[i] + b[i];
}
// [/broken]

int main() {
  const int n = 250;
  const std::size_t bytes = n * sizeof(float);
  std::vector<float> a(n, 1), b(n, 2), c(n);
  float *d_a = nullptr, *d_b = nullptr, *d_c = nullptr;
  for (float** pointer : {&d_a, &d_b, &d_c}) CHECK(cudaMalloc(pointer, bytes));
  CHECK(cudaMemcpy(d_a, a.data(), bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(d_b, b.data(), bytes, cudaMemcpyHostToDevice));
  add<<<1, 256>>>(d_a, d_b, d_c);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(c.data(), d_c, bytes, cudaMemcpyDeviceToHost));
  for (float* pointer : {d_a, d_b, d_c}) CHECK(cudaFree(pointer));

  int wrong = 0;
  for (const float sum : c) wrong += sum != 3;
  std::printf("wrong: %d of %d\n", wrong, n);
  return wrong == 0 ? 0 : 1;
}
