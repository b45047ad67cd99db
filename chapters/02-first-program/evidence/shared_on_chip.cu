// Evidence: shared memory is on the chip, inside the SM. One thread follows a chain of indices, first
// in shared memory, then in global memory far apart: the answers are the same, the cycles are not.
#include <cstdio>
#include <vector>

#include "../steps.hpp"
#include "coalesce/device.hpp"
#include "coalesce/device_buffer.hpp"
#include "coalesce/launch.hpp"

namespace chapter02 {
namespace {

constexpr int links = 1024;
constexpr int spread =
    1 << 15;  // ints between links in global memory: 128 KiB, so no cache line is shared

// [kernel]
__global__ void follow_chains_kernel(const int* next, long long* cycles, int* ends) {
  __shared__ int near[links];
  for (int i = 0; i < links; ++i) near[i] = (i + 1) % links;

  int at = 0;
  const long long start = clock64();
  for (int i = 0; i < links; ++i) at = near[at];
  const long long middle = clock64() + at;  // adding what was read keeps the reads before the clock

  int far = 0;
  for (int i = 0; i < links; ++i) far = next[far];
  const long long stop = clock64() + far;

  cycles[0] = middle - start;
  cycles[1] = stop - middle;
  ends[0] = at;
  ends[1] = far;
}
// [/kernel]

}  // namespace

// [launch]
int shared_on_chip(std::int64_t) {
  const std::int64_t size = std::int64_t{links} * (coalesce::on_cpu_device() ? 1 : spread);
  std::vector<int> next(static_cast<std::size_t>(size));
  const int step = static_cast<int>(size / links);
  for (int i = 0; i < links; ++i) next[static_cast<std::size_t>(i) * step] = (i + 1) % links * step;

  const auto d_next = coalesce::to_device(next);
  coalesce::device_buffer<long long> d_cycles(2);
  coalesce::device_buffer<int> d_ends(2);
  coalesce::launch(follow_chains_kernel, {.grid = 1, .block = 1}, d_next.data(), d_cycles.data(),
                   d_ends.data());
  long long cycles[2] = {};
  int ends[2] = {-1, -1};
  d_cycles.copy_to_host(cycles);
  d_ends.copy_to_host(ends);
  std::printf("both chains end where they began: %s\n",
              ends[0] == 0 && ends[1] == 0 ? "yes" : "no");
  if (ends[0] != 0 || ends[1] != 0) return 1;
  if (coalesce::on_cpu_device()) return 0;  // no clock there

  std::printf("cycles a link: %lld in shared memory, %lld in global memory\n", cycles[0] / links,
              cycles[1] / links);
  return 4 * cycles[0] < cycles[1] ? 0 : 1;
}
// [/launch]

}  // namespace chapter02
