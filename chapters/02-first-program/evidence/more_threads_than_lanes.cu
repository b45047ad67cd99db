// Evidence: a thread does not own a core. An SM keeps many more threads than it has lanes, and a warp
// of one busy thread takes as long as a warp of 32: the warp is what the scheduler deals with.
#include <cstdio>

#include "../steps.hpp"
#include "coalesce/device.hpp"
#include "coalesce/device_buffer.hpp"
#include "coalesce/launch.hpp"

namespace chapter02 {
namespace {

// [kernel]
__global__ void chain_kernel(long long* cycles, float* sink) {
  float value = threadIdx.x;
  const long long start = clock64();
  for (int i = 0; i < 10'000; ++i) value = fmaf(value, 0.5f, 1.0f);  // each needs the one before
  const long long stop = clock64();

  sink[threadIdx.x] = value;
  if (threadIdx.x == 0) *cycles = stop - start;
}
// [/kernel]

long long cycles_of_chain(int threads) {
  coalesce::device_buffer<long long> d_cycles(1);
  coalesce::device_buffer<float> d_sink(threads);
  long long cycles = 0;
  for (int run = 0; run < 2; ++run) {  // the first run also fetches the instructions
    coalesce::launch(chain_kernel, {.grid = 1, .block = threads}, d_cycles.data(), d_sink.data());
    d_cycles.copy_to_host({&cycles, 1});
  }
  return cycles;
}

}  // namespace

// [launch]
int more_threads_than_lanes(std::int64_t) {
  const coalesce::device_facts facts = coalesce::current_device_facts();
  const int lanes = coalesce::fp32_lanes_per_sm(facts.compute_capability).value_or(128);
  std::printf("an SM has %d lanes and keeps up to %d threads\n", lanes, facts.max_threads_per_sm);
  if (facts.max_threads_per_sm <= lanes) return 1;
  if (coalesce::on_cpu_device()) return 0;  // no clock there

  const long long one = cycles_of_chain(1), warp = cycles_of_chain(32);
  std::printf("10000 dependent multiply-adds: %lld cycles for 1 thread, %lld for 32\n", one, warp);
  return warp < one + one / 10 ? 0 : 1;
}
// [/launch]

}  // namespace chapter02
