// Shows the way from cycles to bandwidth: a block of 512 threads, strided, reads its multiprocessor's
// clock behind a barrier before and after the work. Any n from 0 on.
#include <cstdio>
#include <numeric>

#include "coalesce/device.hpp"
#include "coalesce/launch.hpp"
#include "coalesce/timer.hpp"
#include "coalesce/verify.hpp"
#include "reference.hpp"
#include "steps.hpp"

namespace chapter04 {
namespace {

constexpr int threads = 512;

// [kernel]
__global__ void one_block_clock_kernel(const int* values, std::int64_t n, std::int64_t* partials,
                                       std::int64_t* cycles) {
  __syncthreads();  // all warps begin together
  const std::int64_t start = clock64();

  std::int64_t partial = 0;
  for (std::int64_t i = threadIdx.x; i < n; i += blockDim.x) {
    const std::int64_t value = values[i];
    partial += value * value;
  }
  partials[threadIdx.x] = partial;

  __syncthreads();  // the last warp has ended
  if (threadIdx.x == 0) *cycles = clock64() - start;
}
// [/kernel]

// [shares]
void print_shares(double bytes, double cycles, double seconds,
                  const coalesce::device_facts& facts) {
  const double rate = bytes / seconds;
  std::printf("cycles:               %.0f, of one block on one multiprocessor\n", cycles);
  std::printf("time by events:       %.1f us, so the clock was %.0f MHz\n", seconds * 1e6,
              cycles / seconds * 1e-6);
  std::printf("bytes a cycle:        %.1f\n", bytes / cycles);
  std::printf("bandwidth:            %.2f GB/s\n", rate * 1e-9);
  if (!facts.memory_bandwidth_peak) return;
  const double even = *facts.memory_bandwidth_peak / facts.sms;
  std::printf("of an even share:     %.1f %%, were each of %d multiprocessors given %.1f GB/s\n",
              100 * rate / even, facts.sms, even * 1e-9);
  std::printf("of the device's peak: %.2f %%\n", 100 * rate / *facts.memory_bandwidth_peak);
}
// [/shares]

}  // namespace

int one_block_clock(std::int64_t wanted) {
  const std::int64_t n = wanted > 0 ? wanted : 1 << 20;
  const auto values = coalesce::random_ints(n, 0, 9, coalesce::fresh_seed());
  const auto d_values = coalesce::to_device(values);
  coalesce::device_buffer<std::int64_t> d_partials(threads), d_cycles(1);
  coalesce::poison(d_partials);
  const auto launch = [&] {
    coalesce::launch(one_block_clock_kernel, {.grid = 1, .block = threads}, d_values.data(), n,
                     d_partials.data(), d_cycles.data());
  };

  launch();  // warm-up
  coalesce::event_timer timer;
  timer.start();
  launch();
  timer.stop();
  const double seconds = timer.seconds();

  const auto partials = coalesce::to_host(d_partials);
  const std::int64_t sum = std::accumulate(partials.begin(), partials.end(), std::int64_t{0});
  const bool right = sum == sum_of_squares(values);
  std::printf("sum of %d partial sums = %lld, %s\n", threads, static_cast<long long>(sum),
              right ? "right" : "wrong");
  if (coalesce::on_cpu_device())
    std::printf("The CPU device has no cycles to count: this step needs a GPU for the rest.\n");
  else
    print_shares(4.0 * static_cast<double>(n), static_cast<double>(coalesce::to_host(d_cycles)[0]),
                 seconds, coalesce::current_device_facts());
  return right ? 0 : 1;
}

}  // namespace chapter04
