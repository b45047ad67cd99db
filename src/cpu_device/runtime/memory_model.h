/// @file
/// How much a warp's request costs: sectors of global memory, wavefronts of shared memory.
#pragma once

#include <array>
#include <cstdint>

namespace cpu_device {

/// One request: which lanes take part, and where each begins to read or write.
struct WarpAddresses {
  uint32_t active = 0;
  std::array<uintptr_t, 32> address{};
  int bytes = 0;
};

/// The 32-byte sectors that the request touches.
int sectors(const WarpAddresses& request);

struct Wavefronts {
  int total = 0;
  int needed = 0;  ///< what the same access width costs without any conflict
};

/// The passes through 32 banks of 4 bytes. Lanes that read the same word share it. A warp's 8-byte
/// accesses are served by halves, 16-byte ones by quarters; two neighbouring parts go together
/// when in all of their lanes t and t^1, or t and t^2, ask for the same address.
Wavefronts wavefronts(const WarpAddresses& request);

}  // namespace cpu_device
