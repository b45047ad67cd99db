// Shows what __launch_bounds__ did to one kernel: registers, bytes of local memory, and blocks that fit.
#include <cstdio>

#include "coalesce/device.hpp"
#include "steps.hpp"

namespace chapter05 {

int registers_and_spills(std::int64_t) {
  if (coalesce::on_cpu_device()) {
    std::printf("The CPU device knows no registers: this step needs a GPU.\n");
    return 0;
  }
  bool right = true;
  for (const int blocks : {1, 2, 4}) {
    const coalesce::kernel_facts kernel = limited_registers_facts(blocks);
    std::printf("__launch_bounds__(256, %d): %3d registers, at most %3d; local memory: %zu bytes\n",
                blocks, kernel.registers, 65536 / (256 * blocks), kernel.local_bytes);
    right = right && kernel.registers <= 65536 / (256 * blocks);
  }
  return right ? 0 : 1;
}

}  // namespace chapter05
