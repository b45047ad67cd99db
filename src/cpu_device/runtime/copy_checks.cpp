#include "copy_checks.h"

#include "memory.h"
#include "shadow.h"

namespace cpu_device {

void report_wrong_copy(std::string&& text) {
  if (!checking()) return;
  add_problem({"wrong copy", "", this_call(), {}, std::move(text)});
}

std::string wrong_side(const void* pointer, size_t bytes, bool device_expected) {
  const auto where = reinterpret_cast<uintptr_t>(pointer);
  if (!pointer) return "is null";
  if (!device_expected) return "is device memory, which the direction says it is not";
  const auto near = allocation_near(where);
  if (!in_arena(where) || !near) {
    return "is host memory, which the direction says it is not";
  }
  if (near->freed) return "has been freed";
  const size_t left = near->base + near->bytes - where;
  return "has only " + std::to_string(where < near->base + near->bytes ? left : 0) + " of " +
         std::to_string(bytes) + " bytes";
}

void check_written(const void* source, size_t pitch, size_t width, size_t height,
                   const Party& caller) {
  const auto found = allocation_of(source);
  if (!found || !found->shadow) return;
  const auto base = reinterpret_cast<uintptr_t>(source);
  const auto run = find_unwritten(*found->shadow, base, pitch, width, height);
  if (!run.bytes) return;
  add_problem({"uninitialised read",
               "",
               caller,
               {},
               "a copy to the host of " + std::to_string(width * height) +
                   " bytes, of which nothing has "
                   "written " +
                   std::to_string(run.bytes) + ", the first at byte " + std::to_string(run.first) +
                   ": a kernel does not reach all elements"});
}

}  // namespace cpu_device
