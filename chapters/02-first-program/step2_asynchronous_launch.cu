// Step 2, asynchronous launch: the host goes on while the kernel still runs. The kernel idles for a
// while; the host asks, without waiting, whether the device is done.
#include <cstdio>

#include "coalesce/device.hpp"
#include "coalesce/launch.hpp"
#include "steps.hpp"

namespace chapter02 {
namespace {

// [kernel]
__global__ void idle_kernel(long long cycles) {
  const long long start = clock64();
  while (clock64() - start < cycles) {
  }
  printf("kernel: done\n");
}
// [/kernel]

const char* state_of_device() {
  const cudaError_t state = cudaStreamQuery(nullptr);
  if (state == cudaErrorNotReady) return "still running";
  COALESCE_CHECK(state);
  return "finished";
}

}  // namespace

// [launch]
int asynchronous_launch(std::int64_t) {
  COALESCE_CHECK(cudaFree(nullptr));  // starts the device, so that the launch need not
  const long long cycles = coalesce::on_cpu_device() ? 0 : 200'000'000;
  coalesce::launch(idle_kernel, {.grid = 1, .block = 1}, cycles);
  std::printf("host:   the launch has returned, the kernel is %s\n", state_of_device());

  COALESCE_CHECK(cudaDeviceSynchronize());
  std::printf("host:   after the synchronise, the kernel is %s\n", state_of_device());
  return 0;
}
// [/launch]

}  // namespace chapter02
