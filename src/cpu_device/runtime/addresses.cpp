#include "addresses.h"

#include <cstdio>

#include "kernel.h"
#include "memory.h"

namespace cpu_device {
namespace {

constexpr uintptr_t kNear = 1024;  // unused bytes behind a device variable (variable_padding.py)

}  // namespace

Explanation explain(uintptr_t address) {
  char text[160];
  if (address < 4096) {
    return {"null pointer", "through a null pointer",
            "the allocation is missing, or failed unnoticed"};
  }
  if (in_arena(address)) {
    const auto near = allocation_near(address);
    const auto behind = allocation_behind(address);
    const uintptr_t past = near ? address - near->base - near->bytes : 0;  // wraps when inside
    if (behind && !behind->freed && (!near || past < kArenaBytes) &&
        (!near || behind->base - address < past)) {
      std::snprintf(text, sizeof text, "%zu bytes before an allocation of %zu bytes",
                    static_cast<size_t>(behind->base - address), behind->bytes);
      return {"out of bounds", text, "an index is negative"};
    }
    if (!near) return {"out of bounds", "before every allocation", "an index is negative"};
    const uintptr_t offset = address - near->base;
    if (near->freed && offset < near->bytes) {
      std::snprintf(text, sizeof text, "inside a freed allocation of %zu bytes", near->bytes);
      return {"use after free", text, "the memory is freed before its last use"};
    }
    if (offset < near->bytes) {
      std::snprintf(text, sizeof text, "across the end of an allocation of %zu bytes", near->bytes);
    } else {
      std::snprintf(text, sizeof text, "%zu bytes past the end of an allocation of %zu bytes",
                    static_cast<size_t>(offset - near->bytes), near->bytes);
    }
    return {"out of bounds", text, "the guard (if (i < n)) is missing, or an index is wrong"};
  }
  if (const Variable* variable = variable_before(address)) {
    const uintptr_t past =
        address - reinterpret_cast<uintptr_t>(variable->address) - variable->bytes;
    if (past < kNear) {
      std::snprintf(text, sizeof text, "%zu bytes past the end of %s, which has %zu bytes",
                    static_cast<size_t>(past), variable->name, variable->bytes);
      return {"out of bounds", text, "an index is wrong, or the array too small"};
    }
  }
  return {"host pointer", "outside device memory, perhaps a pointer of the host",
          "the kernel was given the host's array instead of the device's"};
}

}  // namespace cpu_device
