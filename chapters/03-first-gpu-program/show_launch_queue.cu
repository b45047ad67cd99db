// Shows the queue of launches: while it has room, a launch costs the host little. Once it is full, the host
// waits for a kernel to end with each launch. So a clock around few launches and one around many disagree.
#include <chrono>
#include <cstdio>

#include "coalesce/device.hpp"
#include "coalesce/error.hpp"
#include "coalesce/timer.hpp"
#include "steps.hpp"

namespace chapter03 {
namespace {

// [kernel]
__global__ void wait_kernel(std::int64_t cycles) {
  const std::int64_t start = clock64();
  while (clock64() - start < cycles) {
  }
}
// [/kernel]

double microseconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start)
      .count();
}

}  // namespace

int launch_queue(std::int64_t wanted) {
  const std::int64_t launches = wanted > 0 ? wanted : 2000;
  if (coalesce::on_cpu_device()) {
    std::printf("The CPU device has no queue that fills, and is never timed: this needs a GPU.\n");
    return 0;
  }
  constexpr std::int64_t cycles = 60'000;  // 30 us at 2 GHz: far longer than a launch
  constexpr std::int64_t at_once = 100;
  const auto launch = [] {
    wait_kernel<<<1, 1>>>(cycles);
    COALESCE_CHECK(cudaGetLastError());
  };
  launch();  // warm-up
  COALESCE_CHECK(cudaDeviceSynchronize());

  std::printf("launches   host, us a launch\n");
  coalesce::event_timer events;
  events.start();
  // [loop]
  for (std::int64_t done = 0; done < launches; done += at_once) {
    const auto start = std::chrono::steady_clock::now();
    for (std::int64_t i = 0; i < at_once; ++i) launch();
    const double each = microseconds_since(start) / at_once;
    std::printf("%8lld   %17.1f\n", static_cast<long long>(done + at_once), each);
  }
  // [/loop]
  events.stop();
  const auto rounded = (launches + at_once - 1) / at_once * at_once;
  std::printf("events around all of them: %.1f us a launch\n",
              events.seconds() * 1e6 / static_cast<double>(rounded));
  return 0;
}

}  // namespace chapter03
