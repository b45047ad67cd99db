// Shows what the first calls of a process pay for: the context, and the loading of each kernel.
// The device is reset first, so that the context has to be made again under the host's clock.
#include <chrono>
#include <cstdio>

#include "coalesce/device.hpp"
#include "coalesce/device_buffer.hpp"
#include "steps.hpp"

namespace chapter03 {
namespace {

__global__ void touch_kernel(std::int64_t* sum) {
  *sum = 1;
}

/// Milliseconds of the host's clock for `work`, until the device has finished it.
template <class Work>
double milliseconds_of(Work work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  COALESCE_CHECK(cudaDeviceSynchronize());
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

}  // namespace

int first_launch(std::int64_t) {
  if (coalesce::on_cpu_device()) {
    std::printf(
        "The CPU device has no context to make and no code to load: this step needs a GPU.\n");
    return 0;
  }

  // [first]
  COALESCE_CHECK(cudaDeviceReset());  // forget all: as if the process had just begun
  std::printf("first call, cudaFree(nullptr): %9.4f ms\n",
              milliseconds_of([] { COALESCE_CHECK(cudaFree(nullptr)); }));

  coalesce::device_buffer<std::int64_t> d_sum(1);
  for (int launch = 1; launch <= 5; ++launch)
    std::printf("launch %d, until it ended:      %9.4f ms\n", launch, milliseconds_of([&] {
                  touch_kernel<<<1, 1>>>(d_sum.data());
                  COALESCE_CHECK(cudaGetLastError());
                }));
  // [/first]
  return coalesce::to_host(d_sum)[0] == 1 ? 0 : 1;
}

}  // namespace chapter03
