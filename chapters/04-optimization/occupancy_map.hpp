#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

// What show_block_occupancy.cu needs beside its kernel: cycles of multiprocessors, and a table of shapes.

namespace chapter04 {

inline constexpr int most_sms = 1024;

struct sm_cycles {
  unsigned long long busy;         ///< cycles of all warps together
  unsigned long long first, last;  ///< when the first one began and the last one ended
};

/// Number of the multiprocessor that this thread runs on; 0 on the CPU device.
__device__ inline unsigned own_sm() {
  unsigned sm = 0;
#ifndef __CPU_DEVICE__
  asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
#endif
  return sm;
}

/// Share of the places for warps that was taken, over all multiprocessors that had any work.
inline double achieved(const std::vector<sm_cycles>& sms, int most_warps) {
  double busy = 0, available = 0;
  for (const sm_cycles& sm : sms) {
    if (sm.last == 0) continue;
    busy += static_cast<double>(sm.busy);
    available += static_cast<double>(sm.last - sm.first) * most_warps;
  }
  return available > 0 ? busy / available : 0;
}

/// One line a y, one column an x; `share` is asked for each shape of at most 1024 threads.
template <class Share>
void print_map(const char* title, Share share) {
  std::printf("%s\n y \\ x", title);
  for (unsigned x = 1; x <= 1024; x *= 2) std::printf("%6u", x);
  for (unsigned y = 1; y <= 1024; y *= 2) {
    std::printf("\n%5u ", y);
    for (unsigned x = 1; x * y <= 1024; x *= 2) std::printf("%4.0f %%", 100 * share(dim3(x, y)));
  }
  std::printf("\n");
}

}  // namespace chapter04
