#include "faults.h"

#include <signal.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "addresses.h"
#include "errors.h"
#include "host_guard.h"
#include "memory.h"
#include "problems.h"
#include "scheduler.h"
#include "symbolise.h"

namespace cpu_device {
namespace {

std::mutex message_mutex;

/// Where faults are looked for the problem is said with its kind and cause, else the bare facts.
/// @param callers  return addresses around it, when `pc` may be in the runtime.
void report(Worker& worker, const std::string& what, uintptr_t address, const void* pc,
            const Explanation& explanation, const std::vector<const void*>& callers = {}) {
  std::lock_guard lock(message_mutex);
  if (!checking()) {
    std::fprintf(stderr, "cpu_device: kernel %s: %s at address 0x%llx (%s)\n",
                 worker.launch->kernel->name.c_str(), what.c_str(),
                 static_cast<unsigned long long>(address), explanation.where.c_str());
    std::fprintf(stderr, "cpu_device:   %s: %s\n", source_line(pc).c_str(),
                 describe_lane(worker, worker.current_lane).c_str());
  }
  Party here = this_lane(pc);
  here.frames.insert(here.frames.end(), callers.begin(), callers.end());
  add_problem({explanation.kind,
               worker.launch->kernel->name,
               std::move(here),
               {},
               what + ", " + explanation.sentence(),
               !checking()});
}

/// What the signal handler saw; the lane itself reports it after the handler has returned.
struct Seen {
  uintptr_t address = 0;
  uintptr_t stack_pointer = 0;
  const void* pc = nullptr;
};
thread_local Seen seen;

/// The words of the stack that may be return addresses, the innermost first.
std::vector<const void*> callers_on_stack(uintptr_t stack_pointer, uintptr_t stack) {
  constexpr size_t kMost = 32, kWords = 2048;
  std::vector<const void*> found;
  const auto* word =
      reinterpret_cast<const uintptr_t*>(std::max(stack_pointer & ~uintptr_t{7}, stack));
  for (size_t i = 0; i < kWords && found.size() < kMost; ++i) {
    if (in_program_code(word[i])) found.push_back(reinterpret_cast<const void*>(word[i]));
  }
  return found;
}

[[noreturn]] void after_fault() {
  Worker& worker = *Worker::current();
  const auto stack = reinterpret_cast<uintptr_t>(worker.running_fiber()->stack);
  // A call that finds no room faults just below the stack, its pointer still inside.
  const bool below = seen.address < stack && stack - seen.address <= kFiberGuardBytes;
  if (below || seen.stack_pointer - stack >= kFiberStackBytes) {
    report(worker, "stack overflow", seen.address, seen.pc,
           {"stack overflow", "by local arrays of more than 256 KiB, or deep recursion", ""},
           callers_on_stack(seen.stack_pointer, stack));
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
  if (problem_count() == before) report_stray_host(address, pc, store);
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

void foreign_local_access(const std::string& what, const void* pc) {
  Worker& worker = *Worker::current();
  add_problem({"foreign local variable",
               worker.launch->kernel->name,
               this_lane(pc),
               {},
               what + " of a local variable of another thread: on a GPU the address means this "
                      "thread's own memory, so hand the value over instead of its address"});
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
                           !cpu_device::checking()});
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

}  // extern "C"
