// Shows what the order of atomic additions does: nothing to a sum of ints, something to a sum of floats.
#include <cstdio>
#include <set>
#include <vector>

#include "coalesce/device_buffer.hpp"
#include "coalesce/launch.hpp"
#include "coalesce/verify.hpp"
#include "steps.hpp"

namespace chapter05 {
namespace {

// [kernel]
__global__ void add_kernel(const int* values, int n, bool backwards, int* int_sum,
                           float* float_sum) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n) return;
  const int value = values[backwards ? n - 1 - t : t];
  atomicAdd(int_sum, value);
  atomicAdd(float_sum, 1.0f / static_cast<float>(value));
}
// [/kernel]

}  // namespace

int order_of_additions(std::int64_t) {
  constexpr int n = 1 << 16, runs = 20;
  const auto d_values = coalesce::to_device(coalesce::random_ints(n, 1, 1000, 5));
  coalesce::device_buffer<int> d_int(1);
  coalesce::device_buffer<float> d_float(1);

  std::set<int> int_sums;
  std::set<float> float_sums;
  for (int run = 0; run < runs; ++run) {
    d_int.fill_bytes(0);
    d_float.fill_bytes(0);
    coalesce::launch(add_kernel, {.grid = n / 256, .block = 256}, d_values.data(), n, run % 2 == 1,
                     d_int.data(), d_float.data());
    int_sums.insert(coalesce::to_host(d_int)[0]);
    float_sums.insert(coalesce::to_host(d_float)[0]);
  }

  std::printf("%d runs on the same numbers, every second one backwards\n", runs);
  std::printf("sums of ints:   %2zu different one%s\n", int_sums.size(),
              int_sums.size() == 1 ? "" : "s");
  std::printf("sums of floats: %2zu different ones, from %.9g to %.9g\n", float_sums.size(),
              *float_sums.begin(), *float_sums.rbegin());
  return int_sums.size() == 1 && float_sums.size() > 1 ? 0 : 1;
}

}  // namespace chapter05
