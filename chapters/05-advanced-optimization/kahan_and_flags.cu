// Kahan's sum in plain operators, on the host and on the device. Build it with and without the flags that let
// a compiler treat additions as exact, and see who keeps what was rounded away.
#include <cstdio>
#include <vector>

#include "../03-first-gpu-program/check.hpp"

// [kahan]
__host__ __device__ float kahan_sum(const float* values, int n) {
  float sum = 0, lost = 0;
  for (int i = 0; i < n; ++i) {
    const float term = values[i] - lost;
    const float next = sum + term;
    lost = (next - sum) - term;  // 0, if additions were exact
    sum = next;
  }
  return sum;
}
// [/kahan]

__global__ void kahan_kernel(const float* values, int n, float* sum) {
  *sum = kahan_sum(values, n);
}

int main() {
  std::vector<float> values(5001, 1.0f);
  values[0] = 16777216;
  float *d_values = nullptr, *d_sum = nullptr, on_device = -1;
  CHECK(cudaMalloc(&d_values, values.size() * sizeof(float)));
  CHECK(cudaMalloc(&d_sum, sizeof(float)));
  CHECK(cudaMemcpy(d_values, values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice));
  kahan_kernel<<<1, 1>>>(d_values, 5001, d_sum);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(&on_device, d_sum, sizeof(float), cudaMemcpyDeviceToHost));
  const float on_host = kahan_sum(values.data(), 5001);
  const float right = 16777216 + 5000;
  std::printf("right %.9g, host %.9g, device %.9g\n", double{right}, double{on_host},
              double{on_device});
  return on_host == right && on_device == right ? 0 : 1;
}
