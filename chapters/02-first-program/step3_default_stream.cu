// Step 3, the default stream: two launches and a copy, no synchronise between them. Each waits for
// the one before it, so the copy brings back what both kernels made.
#include <cstdio>

#include "coalesce/device.hpp"
#include "coalesce/device_buffer.hpp"
#include "coalesce/launch.hpp"
#include "steps.hpp"

namespace chapter02 {
namespace {

// [kernel]
__global__ void write_kernel(int* values, long long cycles) {
  const long long start = clock64();
  while (clock64() - start < cycles) {
  }
  values[threadIdx.x] = 10 * threadIdx.x;
}

__global__ void add_one_kernel(int* values) {
  values[threadIdx.x] += 1;
}
// [/kernel]

}  // namespace

// [launch]
int default_stream(std::int64_t) {
  constexpr int count = 4;
  coalesce::device_buffer<int> d_values(count);
  d_values.fill_bytes(0);
  int values[count] = {};

  const long long cycles = coalesce::on_cpu_device() ? 0 : 20'000'000;
  coalesce::launch(write_kernel, {.grid = 1, .block = count}, d_values.data(), cycles);
  coalesce::launch(add_one_kernel, {.grid = 1, .block = count}, d_values.data());
  COALESCE_CHECK(cudaMemcpy(values, d_values.data(), sizeof values, cudaMemcpyDeviceToHost));
  // [/launch]

  std::printf("values: %d %d %d %d\n", values[0], values[1], values[2], values[3]);
  for (int i = 0; i < count; ++i)
    if (values[i] != 10 * i + 1) return 1;
  std::printf("in order: the second kernel saw what the first wrote, the copy what both wrote\n");
  return 0;
}

}  // namespace chapter02
