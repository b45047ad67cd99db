#include "faults.h"

#include <signal.h>
#include <ucontext.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <string>

#include "errors.h"
#include "host_guard.h"
#include "memory.h"
#include "problems.h"
#include "scheduler.h"
#include "symbolise.h"

namespace cpu_device {
namespace {

std::mutex message_mutex;

struct Explanation {
  const char* kind;
  std::string where;  ///< the end of a sentence
  const char* cause;  ///< the usual one
};

/// Where an address lies, and what that means.
Explanation explain(uintptr_t address) {
  char text[160];
  if (address < 4096) {
    return {"null pointer", "null pointer", "the allocation is missing, or failed unnoticed"};
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
  return {"host pointer", "outside device memory, perhaps a pointer of the host",
          "the kernel was given the host's array instead of the device's"};
}

void report(Worker& worker, const std::string& what, uintptr_t address, const void* pc,
            const Explanation& explanation) {
  std::lock_guard lock(message_mutex);
  const std::string& reason = explanation.where;
  std::fprintf(stderr, "cpu_device: kernel %s: %s at address 0x%llx (%s)\n",
               worker.launch->kernel->name.c_str(), what.c_str(),
               static_cast<unsigned long long>(address), reason.c_str());
  std::fprintf(stderr, "cpu_device:   %s: %s\n", source_line(pc).c_str(),
               describe_lane(worker, worker.current_lane).c_str());
  const std::string cause = *explanation.cause ? std::string(": ") + explanation.cause : "";
  add_problem({explanation.kind,
               worker.launch->kernel->name,
               this_lane(pc),
               {},
               what + ", " + reason + cause,
               true});
}

/// What the signal handler saw; the lane itself reports it after the handler has returned.
struct Seen {
  uintptr_t address = 0;
  uintptr_t stack_pointer = 0;
  const void* pc = nullptr;
};
thread_local Seen seen;

[[noreturn]] void after_fault() {
  Worker& worker = *Worker::current();
  const auto stack = reinterpret_cast<uintptr_t>(worker.running_fiber()->stack);
  if (seen.stack_pointer - stack >= kFiberStackBytes) {
    report(worker, "stack overflow", seen.address, seen.pc,
           {"stack overflow", "local arrays of more than 256 KiB, or deep recursion", ""});
    fail_in_kernel(cudaErrorHardwareStackError);
  } else {
    report(worker, "illegal access", seen.address, seen.pc, explain(seen.address));
    fail_in_kernel(cudaErrorIllegalAddress);
  }
  worker.abandon_lane();
}

/// A fault of the host. One by which it touches what it may not is told.
void host_fault(int signal_number, uintptr_t address, const ucontext_t* context) {
#if defined(__x86_64__)
  const void* pc = reinterpret_cast<void*>(context->uc_mcontext.gregs[REG_RIP] + 1);
  const bool store = context->uc_mcontext.gregs[REG_ERR] & 2;
#else
  const void* pc = reinterpret_cast<void*>(context->uc_mcontext.pc + 1);
  const bool store = false;
#endif
  const size_t before = problem_count();
  if (host_touched(address, pc, store)) return;
  if (problem_count() != before) {
    finish_program();
    _exit(kExitProblems);
  }
  signal(signal_number, SIG_DFL);  // it comes again and ends the program
}

/// Lets the faulting fiber go on in after_fault, on a fresh part of its stack.
void handle(int signal_number, siginfo_t* info, void* context_pointer) {
  Worker* worker = Worker::current();
  auto* context = static_cast<ucontext_t*>(context_pointer);
  if (!worker || worker->current_lane < 0 || !worker->running_fiber()) {
    host_fault(signal_number, reinterpret_cast<uintptr_t>(info->si_addr), context);
    return;
  }
  const auto top = reinterpret_cast<uintptr_t>(worker->running_fiber()->stack) + kFiberStackBytes;
  seen.address = reinterpret_cast<uintptr_t>(info->si_addr);
#if defined(__x86_64__)
  // +1: a return address is one past its call, and source_line() expects such.
  seen.pc = reinterpret_cast<void*>(context->uc_mcontext.gregs[REG_RIP] + 1);
  seen.stack_pointer = static_cast<uintptr_t>(context->uc_mcontext.gregs[REG_RSP]);
  context->uc_mcontext.gregs[REG_RIP] = reinterpret_cast<greg_t>(&after_fault);
  context->uc_mcontext.gregs[REG_RSP] = static_cast<greg_t>((top & ~uintptr_t{15}) - 8);
#elif defined(__aarch64__)
  seen.pc = reinterpret_cast<void*>(context->uc_mcontext.pc + 1);
  seen.stack_pointer = context->uc_mcontext.sp;
  context->uc_mcontext.pc = reinterpret_cast<uintptr_t>(&after_fault);
  context->uc_mcontext.sp = top & ~uintptr_t{15};
#else
#error "the CPU device knows x86-64 and 64-bit Arm"
#endif
}

struct AlternateStack {
  std::unique_ptr<char[]> memory{new char[kBytes]};
  static constexpr size_t kBytes = 64 * 1024;
  AlternateStack() {
    stack_t stack{};
    stack.ss_sp = memory.get();
    stack.ss_size = kBytes;
    sigaltstack(&stack, nullptr);
  }
  ~AlternateStack() {
    stack_t stack{};
    stack.ss_flags = SS_DISABLE;
    sigaltstack(&stack, nullptr);
  }
};

}  // namespace

FaultGuard::FaultGuard() {
  static thread_local AlternateStack stack;
  static const bool once = [] {
    struct sigaction action{};
    action.sa_sigaction = handle;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigemptyset(&action.sa_mask);
    sigaction(SIGSEGV, &action, nullptr);
    sigaction(SIGBUS, &action, nullptr);
    return true;
  }();
  (void)once;
}

void illegal_access(const char* what, uintptr_t address, const void* pc) {
  Worker& worker = *Worker::current();
  report(worker, std::string("illegal ") + what, address, pc, explain(address));
  fail_in_kernel(cudaErrorIllegalAddress);
  worker.abandon_lane();
}

void access_beside_array(const std::string& what, const std::string& where, const void* pc) {
  Worker& worker = *Worker::current();
  add_problem({"out of bounds",
               worker.launch->kernel->name,
               this_lane(pc),
               {},
               what + ", " + where + ": an index is wrong, or the array too small"});
  fail_in_kernel(cudaErrorIllegalAddress);
  worker.abandon_lane();
}

void misaligned_access(const std::string& what, uintptr_t address, const void* pc) {
  Worker& worker = *Worker::current();
  report(worker, "misaligned " + what, address, pc,
         {"misaligned access", "the address is no multiple of the size",
          "a pointer was cast to a wider type, or offset by a part of one"});
  fail_in_kernel(cudaErrorMisalignedAddress);
  worker.abandon_lane();
}

}  // namespace cpu_device

extern "C" {

void cpu_device_trap() {
  cpu_device::Worker& worker = *cpu_device::Worker::current();
  cpu_device::add_problem({"trap",
                           worker.launch->kernel->name,
                           cpu_device::this_lane(__builtin_return_address(0)),
                           {},
                           "the kernel ended itself by __trap() or abort()",
                           true});
  cpu_device::fail_in_kernel(cudaErrorLaunchFailure);
  worker.abandon_lane();
}

void cpu_device_assert_fail(const char* expression, const char* file, unsigned int line,
                            const char* function) {
  cpu_device::Worker& worker = *cpu_device::Worker::current();
  const uint3 block = cpu_device_block_index, thread = cpu_device_thread_index;
  std::fprintf(stderr, "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n",
               file, line, function, block.x, block.y, block.z, thread.x, thread.y, thread.z,
               expression);
  cpu_device::add_problem({"assertion",
                           worker.launch->kernel->name,
                           cpu_device::this_lane(__builtin_return_address(0)),
                           {},
                           std::string("assertion `") + expression + "` failed",
                           true});
  cpu_device::fail_in_kernel(cudaErrorAssert);
  worker.abandon_lane();
}

void* cpu_device_heap_malloc(size_t bytes) {
  return std::malloc(bytes);
}
void cpu_device_heap_free(void* pointer) {
  std::free(pointer);
}

}  // extern "C"
