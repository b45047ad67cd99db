#include "fiber.h"

#include <sys/mman.h>

#include <cstdint>
#include <new>
#include <unordered_set>

namespace cpu_device {
namespace {

constexpr size_t kSlotBytes = kFiberStackBytes + kFiberGuardBytes;
constexpr size_t kFibersPerSlab = 64;  // one mapping for many, of which guards cut pieces

}  // namespace

#if defined(__x86_64__)

// Keeps what a called function must keep, exchanges the stack pointers, and goes on where the other
// stack was left. A jump instead of a return: the processor's guess of the latter would be wrong.
asm(R"(
.text
.globl cpu_device_switch_stack
.hidden cpu_device_switch_stack
.type cpu_device_switch_stack, @function
cpu_device_switch_stack:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rsi)
  movq %rdi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  popq %rcx
  jmp *%rcx
.size cpu_device_switch_stack, . - cpu_device_switch_stack
)");

Context new_context(char* stack, void (*main)()) {
  auto* top = reinterpret_cast<void**>(stack + kFiberStackBytes);
  *--top = nullptr;  // where a return address would be
  *--top = reinterpret_cast<void*>(main);
  for (int i = 0; i < 6; ++i) *--top = nullptr;  // registers
  return top;
}

#else

namespace {

/// What a new stack is to call; it is read at once.
thread_local void (*entered)() = nullptr;

void enter(boost::context::detail::transfer_t transfer) {
  *static_cast<Context*>(transfer.data) = transfer.fctx;
  entered();
}

}  // namespace

Context new_context(char* stack, void (*main)()) {
  entered = main;
  return boost::context::detail::make_fcontext(stack + kFiberStackBytes, kFiberStackBytes, enter);
}

#endif

Fiber* FiberPool::take() {
  if (idle_.empty()) {
    void* memory = mmap(nullptr, kSlotBytes * kFibersPerSlab, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    char* slab = static_cast<char*>(memory);
    slabs_.push_back(slab);
    for (size_t i = kFibersPerSlab; i-- > 0;) {
      mprotect(slab + i * kSlotBytes, kFiberGuardBytes, PROT_NONE);
      idle_.push_back(new Fiber{nullptr, slab + i * kSlotBytes + kFiberGuardBytes});
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
