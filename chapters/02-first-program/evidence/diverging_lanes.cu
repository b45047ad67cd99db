// Evidence: the lanes of one warp may go separate ways and wait for each other (since Volta). Lane 0
// waits until lane 1 has set a flag; were both tied to one program counter, it might wait for ever.
#include <cstdio>

#include "../steps.hpp"
#include "coalesce/device_buffer.hpp"
#include "coalesce/launch.hpp"

namespace chapter02 {
namespace {

// [kernel]
__global__ void wait_for_neighbour_kernel(int* flag, int* seen) {
  if (threadIdx.x == 0) {
    for (int tries = 0; tries < 1'000'000 && *seen == 0; ++tries)
      *seen = atomicCAS(flag, 1, 2) == 1;  // looks at the flag, and takes it when it is 1
  } else {
    atomicExch(flag, 1);
  }
}
// [/kernel]

}  // namespace

// [launch]
int diverging_lanes(std::int64_t) {
  coalesce::device_buffer<int> d_flag(1), d_seen(1);
  d_flag.fill_bytes(0);
  d_seen.fill_bytes(0);
  coalesce::launch(wait_for_neighbour_kernel, {.grid = 1, .block = 2}, d_flag.data(),
                   d_seen.data());

  int seen = 0;
  d_seen.copy_to_host({&seen, 1});
  std::printf("lane 0 waited for lane 1 of its own warp, and %s\n",
              seen ? "saw it arrive" : "gave up waiting");
  return seen ? 0 : 1;
}
// [/launch]

}  // namespace chapter02
