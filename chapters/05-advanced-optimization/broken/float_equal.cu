// Wrong: a sum in 256 parts is compared with a sum in one, bit for bit. Both are right, and they differ.
// expect: cpu exit 1 /device [0-9.]+, host [0-9.]+: they differ/
// expect: gpu exit 1 /device [0-9.]+, host [0-9.]+: they differ/
#include "../float_tree.hpp"

#include <cstdio>
#include <vector>

#include "coalesce/verify.hpp"

__global__ void sum_kernel(const float* values, int n, float* result) {
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += 256) sum += values[i];
  sum = chapter05::block_tree<256>(sum);
  if (threadIdx.x == 0) *result = sum;
}

int main() {
  const std::vector<float> values = coalesce::random_floats(1 << 20, 0, 1, 5);
  const auto d_values = coalesce::to_device(values);
  coalesce::device_buffer<float> d_sum(1);
  sum_kernel<<<1, 256>>>(d_values.data(), 1 << 20, d_sum.data());
  const float device = coalesce::to_host(d_sum)[0];
  float host = 0;
  for (const float value : values) host += value;
  // [broken]
  const bool equal = device == host;
  // [/broken]
  std::printf("device %.9g, host %.9g: they %s\n", double{device}, double{host},
              equal ? "agree" : "differ");
  return equal ? 0 : 1;
}
