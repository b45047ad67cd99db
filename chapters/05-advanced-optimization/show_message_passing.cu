// Shows a message from one block to another: the data, a fence, the flag; the flag, a fence, the data.
// Nobody waits for ever: the reader looks at the flag so many times, and believes the data when it is up.
#include <cstdio>
#include <vector>

#include "coalesce/device_buffer.hpp"
#include "coalesce/launch.hpp"
#include "steps.hpp"

namespace chapter05 {
namespace {

enum outcome { early, whole, torn, outcomes };  // no flag yet; flag and data; flag without data

// [kernel]
__global__ void message_kernel(int messages, volatile int* data, volatile int* flag, int* seen) {
  const int m = blockIdx.x / 2 * blockDim.x + threadIdx.x;  // two blocks share it
  if (m >= messages) return;
  const int place = m * 64;  // data and flag of a message lie far apart

  if (blockIdx.x % 2 == 0) {
    data[place] = 42;
    __threadfence();  // whoever sees the flag shall see the data
    flag[place] = 1;
  } else {
    bool up = false;
    for (int look = 0; look < 1000 && !up; ++look) up = flag[place] == 1;
    __threadfence();  // the data are read after the flag
    const bool there = data[place] == 42;
    atomicAdd(&seen[!up ? early : there ? whole : torn], 1);
  }
}
// [/kernel]

}  // namespace

int message_passing(std::int64_t) {
  constexpr int messages = 1 << 16, block = 64, rounds = 20;
  coalesce::device_buffer<int> d_data(messages * 64), d_flag(messages * 64), d_seen(outcomes);
  d_seen.fill_bytes(0);
  for (int round = 0; round < rounds; ++round) {
    d_data.fill_bytes(0);
    d_flag.fill_bytes(0);
    coalesce::launch(message_kernel, {.grid = 2 * messages / block, .block = block}, messages,
                     d_data.data(), d_flag.data(), d_seen.data());
  }

  const std::vector<int> seen = coalesce::to_host(d_seen);
  std::printf("%d messages\n", messages * rounds);
  std::printf("the reader saw no flag:          %d\n", seen[early]);
  std::printf("flag and data:                   %d\n", seen[whole]);
  std::printf("the flag without the data:       %d\n", seen[torn]);
  return seen[torn] == 0 && seen[early] + seen[whole] == messages * rounds ? 0 : 1;
}

}  // namespace chapter05
