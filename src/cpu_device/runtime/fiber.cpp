#include "fiber.h"

#include <sys/mman.h>

#include <cstdint>
#include <new>
#include <unordered_set>

namespace cpu_device {
namespace {

constexpr size_t kGuardBytes = 4096;
constexpr size_t kSlotBytes = kFiberStackBytes + kGuardBytes;
constexpr size_t kFibersPerSlab = 64;  // one mapping for many, of which guards cut pieces

}  // namespace

Fiber* FiberPool::take() {
  if (idle_.empty()) {
    void* memory = mmap(nullptr, kSlotBytes * kFibersPerSlab, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    char* slab = static_cast<char*>(memory);
    slabs_.push_back(slab);
    for (size_t i = kFibersPerSlab; i-- > 0;) {
      mprotect(slab + i * kSlotBytes, kGuardBytes, PROT_NONE);
      idle_.push_back(new Fiber{nullptr, slab + i * kSlotBytes + kGuardBytes});
    }
  }
  Fiber* fiber = idle_.back();
  idle_.pop_back();
  return fiber;
}

void FiberPool::take(const std::vector<Fiber*>& wanted) {
  const std::unordered_set<Fiber*> set(wanted.begin(), wanted.end());
  std::erase_if(idle_, [&](Fiber* fiber) { return set.count(fiber) != 0; });
}

bool FiberPool::contains(const void* address) const {
  const auto where = reinterpret_cast<uintptr_t>(address);
  for (const char* slab : slabs_) {
    if (where - reinterpret_cast<uintptr_t>(slab) < kSlotBytes * kFibersPerSlab) return true;
  }
  return false;
}

}  // namespace cpu_device
