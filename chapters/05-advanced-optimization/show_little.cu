// Shows how many bytes each multiprocessor must have in flight, by Little's law: the memory's bandwidth
// times the time of one load, divided by the multiprocessors. The time is measured, one load after another.
#include <algorithm>
#include <cstdio>
#include <vector>

#include "coalesce/device.hpp"
#include "coalesce/launch.hpp"
#include "coalesce/timer.hpp"
#include "coalesce/verify.hpp"
#include "steps.hpp"

namespace chapter05 {
namespace {

constexpr int loads = 4096;
constexpr int stride = 4096 + 32;  // ints: another page of DRAM each time, and another channel

// [kernel]
__global__ void chase_kernel(const int* next, int* end) {
  int place = 0;
  for (int i = 0; i < loads; ++i) place = __ldcg(next + place);
  *end = place;
}
// [/kernel]

}  // namespace

int little(std::int64_t) {
  std::vector<int> next(std::size_t{loads} * stride, -1);
  for (int i = 0; i < loads; ++i)
    next[static_cast<std::size_t>(i) * stride] = (i + 1) % loads * stride;
  const auto d_next = coalesce::to_device(next);
  coalesce::device_buffer<int> d_end(1);
  coalesce::poison(d_end);
  coalesce::launch(chase_kernel, {.grid = 1, .block = 1}, d_next.data(), d_end.data());
  if (coalesce::to_host(d_end)[0] != 0) return 1;
  if (coalesce::on_cpu_device()) {
    std::printf("The CPU device is never timed: this step needs a GPU.\n");
    return 0;
  }

  coalesce::cache_flusher flusher;
  coalesce::event_timer timer;
  double best = 1;
  for (int run = 0; run < 10; ++run) {
    flusher.flush(nullptr);
    timer.start();
    coalesce::launch(chase_kernel, {.grid = 1, .block = 1}, d_next.data(), d_end.data());
    timer.stop();
    best = std::min(best, timer.seconds() / loads);
  }
  const coalesce::device_facts device = coalesce::current_device_facts();
  if (!device.memory_bandwidth_peak) {
    std::printf("The driver does not tell the memory's clock or width.\n");
    return 0;
  }
  // [little]
  const double in_flight = *device.memory_bandwidth_peak * best;
  const double on_each_sm = in_flight / device.sms;
  // [/little]
  std::printf("bandwidth:          %7.0f GB/s at most\n", *device.memory_bandwidth_peak / 1e9);
  std::printf("one load from DRAM: %7.0f ns\n", best * 1e9);
  std::printf("so in flight:       %7.0f KiB, on each of %d multiprocessors %.1f KiB\n",
              in_flight / 1024, device.sms, on_each_sm / 1024);
  std::printf("with 2048 threads there: %.1f bytes a thread\n", on_each_sm / 2048);
  return 0;
}

}  // namespace chapter05
