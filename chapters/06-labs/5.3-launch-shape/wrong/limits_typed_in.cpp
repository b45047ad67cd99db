// Wrong: the limits of one GPU are typed in.
// in place of: occupancy.cpp
// reject: occupancy limits_typed_in
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
  const int most_warps = 2048 / 32;

  const int registers = rounded_up(32 * kernel.numRegs, portion.registers);  // of a warp
  const int of_a_part = 65536 / portion.parts;
  const int by_registers = of_a_part / registers * portion.parts / warps;
  const bool too_many = registers * rounded_up(warps, portion.parts) > 65536;

  const std::size_t own = kernel.sharedSizeBytes + dynamic_shared;
  const std::size_t shared = rounded_up(own + std::size_t{1024}, portion.shared);
  const int by_shared = shared == 0 ? most_warps : static_cast<int>(std::size_t{233472} / shared);
  if (too_many || own > std::size_t{49152}) return 0;

  const int blocks = std::min({32, most_warps / warps, by_registers, by_shared});
  share = static_cast<double>(blocks * warps) / most_warps;
  return share;
}

}  // namespace lab53
