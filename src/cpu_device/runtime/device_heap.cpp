/// @file
/// malloc, free, new and delete of kernels. The heap has cudaLimitMallocHeapSize bytes; its memory
/// is the device's alone and outlives the kernel that asked for it.
#include "device_heap.h"

#include <atomic>
#include <cstdlib>

#include "memory.h"
#include "problems.h"

namespace cpu_device {

std::atomic<size_t> heap_limit{8 << 20};

namespace {

std::atomic<size_t> heap_used{0};

size_t rounded(size_t bytes) {
  return (bytes + 15) / 16 * 16;
}

}  // namespace
}  // namespace cpu_device

extern "C" {

void* cpu_device_heap_malloc(size_t bytes) {
  using namespace cpu_device;
  if (bytes == 0 || bytes > heap_limit) return nullptr;
  void* pointer = nullptr;
  if (heap_used.fetch_add(rounded(bytes)) + rounded(bytes) <= heap_limit) {
    pointer = allocate(bytes, MemoryKind::kHeap);
  }
  if (!pointer) heap_used -= rounded(bytes);
  return pointer;
}

void cpu_device_heap_free(void* pointer) {
  using namespace cpu_device;
  if (!pointer) return;
  const auto found = allocation_of(pointer);
  if (found && found->kind == MemoryKind::kHeap && release(pointer, MemoryKind::kHeap)) {
    heap_used -= rounded(found->bytes);
  } else if (checking()) {
    add_problem({"invalid free",
                 "",
                 this_lane(__builtin_return_address(0)),
                 {},
                 "free or delete, in a kernel, of memory that malloc or new of a kernel did not "
                 "return, or that was freed before"});
  }
}

}  // extern "C"
