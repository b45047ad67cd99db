// Wrong: a sum in 256 parts is compared with a sum in one, bit for bit. Both are sums, and they differ.
// expect: cpu exit 1 /device [0-9.]+, host [0-9.]+: they differ/
// expect: gpu exit 1 /device [0-9.]+, host [0-9.]+: they differ/
#include <cstdio>
#include <vector>

#include "../../03-first-gpu-program/check.hpp"

__global__ void sum_kernel(const float* values, int n, float* part) {
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += 256) sum += values[i];
  part[threadIdx.x] = sum;
}

int main() {
  const int n = 1 << 20;
  std::vector<float> values(n), part(256);
  float *d_values = nullptr, *d_part = nullptr, host = 0, device = 0;
  for (int i = 0; i < n; ++i) values[i] = static_cast<float>(i % 1000) / 1000;
  CHECK(cudaMalloc(&d_values, n * sizeof(float)));
  CHECK(cudaMalloc(&d_part, 256 * sizeof(float)));
  CHECK(cudaMemcpy(d_values, values.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  sum_kernel<<<1, 256>>>(d_values, n, d_part);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(part.data(), d_part, 256 * sizeof(float), cudaMemcpyDeviceToHost));
  for (const float value : part) device += value;
  for (const float value : values) host += value;
  // [broken]
  const bool equal = device == host;
  // [/broken]
  std::printf("device %.9g, host %.9g: they %s\n", device, host, equal ? "agree" : "differ");
  return equal ? 0 : 1;
}
