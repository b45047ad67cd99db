// Shows one kernel under three clocks: its own cycle counter, events, and the host's clock, which is read
// once with and once without waiting for the device. The last reading is the mistake.
#include <chrono>
#include <cstdio>

#include "coalesce/device.hpp"
#include "coalesce/timer.hpp"
#include "coalesce/verify.hpp"
#include "steps.hpp"

namespace chapter03 {
namespace {

__global__ void sum_of_squares_clock_kernel(const int* values, std::int64_t n, std::int64_t* sum,
                                            std::int64_t* cycles) {
  const std::int64_t start = clock64();
  std::int64_t partial = 0;
  for (std::int64_t i = 0; i < n; ++i) partial += std::int64_t{values[i]} * values[i];
  *sum = partial;
  *cycles = clock64() - start;
}

double milliseconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

}  // namespace

int timing_three_ways(std::int64_t wanted) {
  const std::int64_t n = wanted > 0 ? wanted : 1 << 20;
  const auto d_values = coalesce::to_device(coalesce::random_ints(n, 0, 9, coalesce::fresh_seed()));
  coalesce::device_buffer<std::int64_t> d_sum(1), d_cycles(1);
  const auto launch = [&] {
    sum_of_squares_clock_kernel<<<1, 1>>>(d_values.data(), n, d_sum.data(), d_cycles.data());
    COALESCE_CHECK(cudaGetLastError());
  };
  launch();  // warm-up: the first launch also loads the kernel
  COALESCE_CHECK(cudaDeviceSynchronize());
  if (coalesce::on_cpu_device()) {
    std::printf(
        "The CPU device runs a kernel inside its launch and is never timed: this step needs a "
        "GPU.\n");
    return 0;
  }

  // [events]
  coalesce::event_timer events;
  events.start();
  launch();
  events.stop();
  const double by_events =
      events.seconds() * 1e3;  // waits until the device has passed the second mark
  // [/events]

  // [host]
  auto start = std::chrono::steady_clock::now();
  launch();
  COALESCE_CHECK(cudaDeviceSynchronize());
  const double host_waiting = milliseconds_since(start);

  start = std::chrono::steady_clock::now();
  launch();
  const double host_not_waiting =
      milliseconds_since(start);  // the mistake: the kernel has hardly begun
  COALESCE_CHECK(cudaDeviceSynchronize());
  // [/host]

  const double cycles = static_cast<double>(coalesce::to_host(d_cycles)[0]);
  std::printf("clock64(), in the kernel:          %9.0f cycles\n", cycles);
  std::printf("events around the launch:          %9.4f ms\n", by_events);
  std::printf("host's clock, waiting:             %9.4f ms\n", host_waiting);
  std::printf("host's clock, not waiting (wrong): %9.4f ms\n", host_not_waiting);
  return 0;
}

}  // namespace chapter03
