#include "launch_check.h"

#include <link.h>

#include <cstring>

#include "checker.h"
#include "operations.h"

namespace cpu_device {
namespace {

uintptr_t image_base() {
  static const uintptr_t once = [] {
    uintptr_t base = 0;
    dl_iterate_phdr(
        [](dl_phdr_info* info, size_t, void* result) {
          *static_cast<uintptr_t*>(result) = info->dlpi_addr;
          return 1;  // the main program comes first
        },
        &base);
    return base;
  }();
  return once;
}

uint64_t value_at(uintptr_t address) {
  uint32_t value;  // counters of 8 bytes count in their low half as well
  std::memcpy(&value, reinterpret_cast<void*>(address), sizeof value);
  return value;
}

/// What a launch left in a counter by which its last block knew itself.
struct Ticket {
  uint64_t begin = 0, end = 0;
};

/// A last block that found itself by a counter in one launch, and no such block in the next, which
/// began with what the first had left: nobody set the counter back.
void check_tickets(const Launch& launch) {
  static std::map<std::pair<const Kernel*, uintptr_t>, Ticket> tickets;
  for (const auto& [address, variable] : launch_check().sync_variables) {
    if (!variable.changer.in_kernel) continue;
    const std::pair key(launch.kernel, address);
    const auto earlier = tickets.find(key);
    if (variable.ordered_blocks) {
      tickets[key] = {variable.begin, value_at(address)};
    } else if (earlier != tickets.end() && earlier->second.begin != earlier->second.end &&
               variable.begin == earlier->second.end) {
      add_problem({"stale ticket",
                   launch.kernel->name,
                   variable.changer,
                   {},
                   "the counter begins this launch with " + std::to_string(variable.begin) +
                       ", which an earlier launch of the kernel left in it, so no block takes "
                       "itself for the last: set it back in the last block or before each launch"});
    }
  }
}

}  // namespace

LaunchCheck& launch_check() {
  static LaunchCheck once;
  return once;
}

void begin_launch_check(const Launch& launch) {
  LaunchCheck& check = launch_check();
  bool forget = false;
  check.operation =
      note_operation({0, 0, launch.kernel->name, launch.grid, launch.block, {}}, &forget);
  if (forget) check.moments.forget();
  check.fences = false;
  check.sync_variables.clear();
  check.messages.clear();
}

void end_launch_check(const Launch& launch) {
  if (!launch.stopped) check_tickets(launch);
  say_problems();
}

uint32_t encode_code(const void* pc) {
  return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(pc) - image_base()) &
         ~(kAtomicBit | kVolatileBit);
}

const void* decode_code(uint32_t code) {
  return reinterpret_cast<void*>(image_base() + (code & ~(kAtomicBit | kVolatileBit)));
}

}  // namespace cpu_device
