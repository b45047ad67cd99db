// Step 3, one thread with a clock: the loop of step 1 reads its multiprocessor's cycle counter before
// and after the work. Prints cycles, and what they can and cannot say about time. Any n from 0 on.
#include <cstdio>

#include "coalesce/device.hpp"
#include "coalesce/launch.hpp"
#include "coalesce/timer.hpp"
#include "coalesce/verify.hpp"
#include "reference.hpp"
#include "steps.hpp"

namespace chapter03 {
namespace {

// [kernel]
__global__ void sum_of_squares_clock_kernel(const int* values, std::int64_t n, std::int64_t* sum,
                                            std::int64_t* cycles) {
  const std::int64_t start = clock64();
  std::int64_t partial = 0;

  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t value = values[i];
    partial += value * value;
  }

  *sum = partial;
  *cycles = clock64() - start;
}
// [/kernel]

void launch_clock(const int* d_values, std::int64_t n, std::int64_t* d_sum,
                  std::int64_t* d_cycles) {
  coalesce::launch(sum_of_squares_clock_kernel, {.grid = 1, .block = 1}, d_values, n, d_sum,
                   d_cycles);
}

// [cycles]
void print_times(std::int64_t n, double cycles, double event_seconds, double peak_clock_hz) {
  std::printf("cycles:              %.0f, by clock64()\n", cycles);
  std::printf("cycles an element:   %.1f\n", cycles / static_cast<double>(n));
  std::printf("cycles / peak clock: %.3f ms, the least time these cycles can have taken\n",
              cycles / peak_clock_hz * 1e3);
  std::printf("time by events:      %.3f ms\n", event_seconds * 1e3);
  std::printf("cycles / that time:  %.0f MHz, the clock it ran at (the peak is %.0f MHz)\n",
              cycles / event_seconds * 1e-6, peak_clock_hz * 1e-6);
}
// [/cycles]

}  // namespace

int one_thread_clock(std::int64_t wanted) {
  const std::int64_t n = wanted > 0 ? wanted : 1 << 20;
  const auto values = coalesce::random_ints(n, 0, 9, coalesce::fresh_seed());
  const auto d_values = coalesce::to_device(values);
  coalesce::device_buffer<std::int64_t> d_sum(1), d_cycles(1);
  coalesce::poison(d_sum);

  launch_clock(d_values.data(), n, d_sum.data(), d_cycles.data());  // warm-up: not timed
  coalesce::event_timer timer;
  timer.start();
  launch_clock(d_values.data(), n, d_sum.data(), d_cycles.data());
  timer.stop();
  const double seconds = timer.seconds();

  const std::int64_t want = sum_of_squares(values), sum = coalesce::to_host(d_sum)[0];
  std::printf("sum of squares = %lld, %s\n", static_cast<long long>(sum),
              sum == want ? "right" : "wrong");
  const auto peak_clock = coalesce::current_device_facts().sm_clock_hz;
  if (coalesce::on_cpu_device() || !peak_clock)
    std::printf("The CPU device has no cycles to count: this step needs a GPU for the rest.\n");
  else
    print_times(n, static_cast<double>(coalesce::to_host(d_cycles)[0]), seconds, *peak_clock);
  return sum == want ? 0 : 1;
}

}  // namespace chapter03
