// Wrong: the system's share of a block's shared memory is forgotten.
// in place of: occupancy.cpp
// reject: occupancy reserved_shared
#include <algorithm>

#include "coalesce/launch.hpp"
#include "lab.hpp"

namespace lab53 {
double occupancy(const cudaFuncAttributes& kernel, const cudaDeviceProp& device, dim3 block,
                 std::size_t dynamic_shared) {
  double share = 0;
  const auto rounded_up = [](auto amount, auto to) { return coalesce::ceil_div(amount, to) * to; };
  const portions portion = portions_of(device);
  const int warps = static_cast<int>(coalesce::ceil_div(block.x * block.y * block.z, 32u));
  const int most_warps = device.maxThreadsPerMultiProcessor / 32;

  const int registers = rounded_up(32 * kernel.numRegs, portion.registers);  // of a warp
  const int of_a_part = device.regsPerMultiprocessor / portion.parts;
  const int by_registers = of_a_part / registers * portion.parts / warps;
  const bool too_many = registers * rounded_up(warps, portion.parts) > device.regsPerBlock;

  const std::size_t own = kernel.sharedSizeBytes + dynamic_shared;
  const std::size_t shared = rounded_up(own, portion.shared);
  const int by_shared =
      shared == 0 ? most_warps : static_cast<int>(device.sharedMemPerMultiprocessor / shared);
  if (too_many || own > device.sharedMemPerBlock) return 0;

  const int blocks =
      std::min({device.maxBlocksPerMultiProcessor, most_warps / warps, by_registers, by_shared});
  share = static_cast<double>(blocks * warps) / most_warps;
  return share;
}

}  // namespace lab53
