// Evidence: float arithmetic follows IEEE 754. Sum, product, quotient, square root and fused
// multiply-add agree with the host's bit for bit, subnormal numbers included.
#include <cfloat>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

#include "../steps.hpp"
#include "coalesce/device_buffer.hpp"
#include "coalesce/launch.hpp"
#include "coalesce/verify.hpp"

namespace chapter02 {
namespace {

constexpr int operations = 5;
const char* const names[operations] = {"a + b", "a * b", "a / b", "sqrt(a)", "fma(a, b, c)"};

// [kernel]
__global__ void arithmetic_kernel(const float* a, const float* b, const float* c, int n,
                                  float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  out[0 * n + i] = a[i] + b[i];
  out[1 * n + i] = a[i] * b[i];
  out[2 * n + i] = a[i] / b[i];
  out[3 * n + i] = sqrtf(a[i]);
  out[4 * n + i] = fmaf(a[i], b[i], c[i]);  // one rounding, not two
}
// [/kernel]

float on_host(int operation, float a, float b, float c) {
  switch (operation) {
    case 0:
      return a + b;
    case 1:
      return a * b;
    case 2:
      return a / b;
    case 3:
      return std::sqrt(a);
    default:
      return std::fma(a, b, c);
  }
}

}  // namespace

int ieee_arithmetic(std::int64_t) {
  constexpr int n = 1 << 16;
  auto a = coalesce::random_floats(n, 0.5f, 2.0f, coalesce::fresh_seed());
  const auto b = coalesce::random_floats(n, 0.5f, 2.0f, coalesce::fresh_seed());
  const auto c = coalesce::random_floats(n, -1.0f, 1.0f, coalesce::fresh_seed());
  for (int i = 0; i < n / 4; ++i) a[i] *= FLT_MIN;  // results near the smallest normal number

  const auto d_a = coalesce::to_device(a), d_b = coalesce::to_device(b),
             d_c = coalesce::to_device(c);
  coalesce::device_buffer<float> d_out(operations * n);
  coalesce::launch(arithmetic_kernel, {coalesce::grid_for(n, 256), 256}, d_a.data(), d_b.data(),
                   d_c.data(), n, d_out.data());
  std::vector<float> out(operations * n);
  d_out.copy_to_host(out);

  int different_in_all = 0;
  for (int operation = 0; operation < operations; ++operation) {
    int different = 0;
    for (int i = 0; i < n; ++i) {
      const float want = on_host(operation, a[i], b[i], c[i]);
      different += std::memcmp(&out[operation * n + i], &want, sizeof want) != 0;
    }
    std::printf("%-13s %d of %d results differ from the host's\n", names[operation], different, n);
    different_in_all += different;
  }
  return different_in_all == 0 ? 0 : 1;
}

}  // namespace chapter02
