#include "local_arrays.h"

#include "checker.h"

namespace cpu_device {
namespace {

constexpr uintptr_t kPadding = 512;  // as in driver/local_arrays.py

}  // namespace

void LocalArrays::leave_function() {
  while (!arrays_.empty() && arrays_.back().depth >= depth_) arrays_.pop_back();
  if (depth_) --depth_;
}

void LocalArrays::add(uintptr_t base, size_t bytes) {
  for (const Array& each : arrays_) {
    if (each.base == base) return;  // of a function that was inlined into a loop
  }
  arrays_.push_back({base, bytes, depth_});
}

std::string LocalArrays::missed(uintptr_t address, size_t bytes) const {
  for (const Array& each : arrays_) {
    const uintptr_t end = each.base + each.bytes;
    if (address + bytes <= each.base - kPadding || address >= end + kPadding) continue;
    const std::string array = " a local array of " + std::to_string(each.bytes) + " bytes";
    if (address < each.base) return std::to_string(each.base - address) + " bytes before" + array;
    if (address >= end) return std::to_string(address - end) + " bytes past the end of" + array;
    return address + bytes > end ? "across the end of" + array : "";
  }
  return "";
}

}  // namespace cpu_device

/// Returns `base`, so that the compiler does not know what the address is.
extern "C" void* cpu_device_local(void* base, size_t bytes) {
  cpu_device::Worker& worker = *cpu_device::Worker::current();
  if (worker.checker) {
    worker.checker->locals(worker).add(reinterpret_cast<uintptr_t>(base), bytes);
  }
  return base;
}
