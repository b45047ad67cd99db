// Wrong: n / 4 threads with a float4 each leave up to three elements to nobody.
// expect: cpu exit 1 /1024 elements: 0 wrong.*1027 elements: 3 wrong/
// expect: gpu exit 1 /1024 elements: 0 wrong.*1027 elements: 3 wrong/
#include <vector>

#include "../../03-first-gpu-program/check.hpp"

// [broken]
__global__ void twice(const float4* a, int n, float4* c) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n / 4) return;
  const float4 x = a[i];
  c[i] = {x.x + x.x, x.y + x.y, x.z + x.z, x.w + x.w};
}
// [/broken]

int wrong_elements(int n) {
  std::vector<float> a(n, 1), c(n, 0);
  float4 *d_a = nullptr, *d_c = nullptr;
  CHECK(cudaMalloc(&d_a, n * sizeof(float)));
  CHECK(cudaMalloc(&d_c, n * sizeof(float)));
  CHECK(cudaMemcpy(d_a, a.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  CHECK(cudaMemset(d_c, 0, n * sizeof(float)));
  twice<<<(n / 4 + 255) / 256, 256>>>(d_a, n, d_c);
  CHECK(cudaMemcpy(c.data(), d_c, n * sizeof(float), cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (const float sum : c) wrong += sum != 2;
  std::printf("%d elements: %d wrong\n", n, wrong);
  return wrong;
}

int main() {
  return wrong_elements(1024) + wrong_elements(1027) != 0;
}
