// Shows how many cycles one load takes, by where its data are: in L1, in L2, or in the device's memory.
// Each load gives the place of the next, so no two of them can be in flight at once.
#include <cstdio>
#include <vector>

#include "coalesce/device.hpp"
#include "coalesce/launch.hpp"
#include "coalesce/timer.hpp"
#include "coalesce/verify.hpp"
#include "steps.hpp"

namespace chapter03 {
namespace {

constexpr int loads = 64;  // in a row
constexpr int stride =
    264;  // ints from one place to the next: never the same sector, nor the neighbour

// [kernel]
__global__ void follow_kernel(const int* next, bool through_l1, int* end, std::int64_t* cycles) {
  int place = 0;
  if (through_l1)
    for (int i = 0; i < loads; ++i)
      place = next[place];  // once untimed: L1 is empty when a kernel begins

  const std::int64_t start = clock64();
  if (through_l1)
    for (int i = 0; i < loads; ++i) place = next[place];
  else
    for (int i = 0; i < loads; ++i) place = __ldcg(next + place);  // asks L2, never L1
  *end = place;
  *cycles = clock64() - start;
}
// [/kernel]

}  // namespace

int one_load(std::int64_t) {
  std::vector<int> next(loads * stride, -1);
  for (int i = 0; i < loads; ++i)
    next[static_cast<std::size_t>(i * stride)] =
        (i + 1) % loads * stride;  // the last leads to the first
  const auto d_next = coalesce::to_device(next);
  coalesce::device_buffer<int> d_end(1);
  coalesce::device_buffer<std::int64_t> d_cycles(1);
  coalesce::poison(d_end);
  const auto cycles_of_a_load = [&](bool through_l1) {
    coalesce::launch(follow_kernel, {.grid = 1, .block = 1}, d_next.data(), through_l1,
                     d_end.data(), d_cycles.data());
    return static_cast<double>(coalesce::to_host(d_cycles)[0]) / loads;
  };
  cycles_of_a_load(true);  // warm-up
  if (coalesce::to_host(d_end)[0] != 0) return 1;
  if (coalesce::on_cpu_device()) {
    std::printf("The CPU device has neither caches nor cycles: this step needs a GPU.\n");
    return 0;
  }

  // [readings]
  coalesce::cache_flusher flusher;
  flusher.flush(nullptr);
  const double from_memory = cycles_of_a_load(false);
  const double from_l2 = cycles_of_a_load(false);
  const double from_l1 = cycles_of_a_load(true);
  // [/readings]
  std::printf("data in device memory: %5.0f cycles a load\n", from_memory);
  std::printf("data in L2:            %5.0f cycles a load\n", from_l2);
  std::printf("data in L1:            %5.0f cycles a load\n", from_l1);
  return coalesce::to_host(d_end)[0] == 0 ? 0 : 1;
}

}  // namespace chapter03
