#include "host_guard.h"

#include <sys/mman.h>

#include <map>
#include <string>
#include <vector>

#include "addresses.h"
#include "memory.h"

namespace cpu_device {
namespace {

constexpr uintptr_t kPage = 4096;

struct Guard {
  const Task* task;
  HostMemory memory;
  HostUse use;
  Party caller;
  std::map<uintptr_t, int> open_pages;  // what the host may do there after all
  std::vector<HostTouch> touches;

  uintptr_t first_page() const {
    return reinterpret_cast<uintptr_t>(memory.address) / kPage * kPage;
  }
  uintptr_t end() const {
    return reinterpret_cast<uintptr_t>(memory.address) + (memory.height - 1) * memory.pitch +
           memory.width;
  }
  bool covers(uintptr_t address) const {
    const auto base = reinterpret_cast<uintptr_t>(memory.address);
    if (address < base || address >= end()) return false;
    return memory.height == 1 || (address - base) % memory.pitch < memory.width;
  }
  /// What the host may do with most pages.
  int allowed() const { return use == HostUse::kReads ? PROT_READ : PROT_NONE; }
  int allowed(uintptr_t page) const {
    if (page < first_page() || page >= end()) return PROT_READ | PROT_WRITE;
    const auto open = open_pages.find(page);
    return open == open_pages.end() ? allowed() : open->second;
  }
};

std::vector<Guard> guards;
std::vector<HostTouch> touches;
int open_count = 0;

void protect(uintptr_t page, size_t bytes, int how) {
  mprotect(reinterpret_cast<void*>(page), bytes, how);
}

void protect_by_guards(uintptr_t page) {
  int how = PROT_READ | PROT_WRITE;
  for (const Guard& each : guards) how &= each.allowed(page);
  protect(page, kPage, how);
}

void open_all() {
  protect_device_memory(PROT_READ | PROT_WRITE);
  for (const Guard& each : guards) {
    protect(each.first_page(), each.end() - each.first_page(), PROT_READ | PROT_WRITE);
  }
}

void close_all() {
  protect_device_memory(PROT_NONE);
  for (const int how : {PROT_READ, PROT_NONE}) {  // the stricter ones last
    for (const Guard& each : guards) {
      if (each.allowed() == how) {
        protect(each.first_page(), each.end() - each.first_page(), how);
      }
    }
  }
  for (const Guard& each : guards) {
    for (const auto& open : each.open_pages) protect_by_guards(open.first);
  }
}

void report_early(const Guard& guard, bool store, const Party& caller) {
  const bool target = guard.use == HostUse::kWrites;
  add_problem({"early host access", "", caller, guard.caller,
               std::string("the host ") + (store ? "writes" : "reads") +
                   (target ? " the target" : " the source") +
                   " of an asynchronous copy that it has not waited for: a synchronising call is "
                   "missing before it"});
}

}  // namespace

OpenMemory::OpenMemory() {
  if (checking() && open_count++ == 0) open_all();
}

OpenMemory::~OpenMemory() {
  if (checking() && --open_count == 0) close_all();
}

void guard(const Task* task, const HostMemory& memory, HostUse use, const Party& caller) {
  guards.push_back({task, memory, use, caller, {}, {}});
}

void unguard(const Task* task) {
  touches.clear();
  for (Guard& each : guards) {
    if (each.task == task) touches.insert(touches.end(), each.touches.begin(), each.touches.end());
  }
  std::erase_if(guards, [=](const Guard& each) { return each.task == task; });
}

const std::vector<HostTouch>& early_touches() {
  return touches;
}

bool host_touched(uintptr_t address, const void* pc, bool store) {
  if (!checking() || !in_arena(address)) return false;
  Party caller = this_call();
  caller.frames.insert(caller.frames.begin(), pc);
  const uintptr_t page = address / kPage * kPage;
  int allowed = PROT_READ | PROT_WRITE;
  for (const Guard& each : guards) allowed &= each.allowed(page);
  if (allowed == PROT_READ) store = true;  // some processors do not say
  const int wanted = store ? PROT_READ | PROT_WRITE : PROT_READ;
  bool guarded = false;
  for (Guard& each : guards) {
    if ((each.allowed(page) & wanted) == wanted) continue;
    guarded = true;
    if (each.use == HostUse::kUnknown) {
      each.open_pages[page] = wanted;
      if (each.covers(address)) each.touches.push_back({address, store, caller});
    } else {
      each.open_pages[page] = PROT_READ | PROT_WRITE;
      if (each.covers(address)) report_early(each, store, caller);
    }
  }
  if (guarded) {
    protect_by_guards(page);
    return true;
  }
  const auto near = allocation_near(address);
  if (!near || !device_only(near->kind) || near->freed) return false;
  add_problem({"device pointer on the host",
               "",
               caller,
               {},
               std::string("the host ") + (store ? "writes" : "reads") +
                   " device memory: it must be copied with cudaMemcpy"});
  return false;
}

void check_early_free(const void* pointer) {
  for (const Guard& each : guards) {
    if (!each.covers(reinterpret_cast<uintptr_t>(pointer))) continue;
    add_problem({"early host access", "", this_call(), each.caller,
                 std::string("the host frees memory of ") +
                     (each.use == HostUse::kUnknown ? "a kernel" : "an asynchronous copy") +
                     " that it has not waited for: a synchronising call is missing before it"});
  }
}

void report_stray_host(uintptr_t address, const void* pc, bool store) {
  if (!checking() || !in_arena(address)) return;
  Party caller = this_call();
  caller.frames.insert(caller.frames.begin(), pc);
  const auto behind = allocation_behind(address);
  constexpr uintptr_t kSizeOfHeapBlock = 8;  // where free() looks, before the address
  if (behind && address + kSizeOfHeapBlock == behind->base && !store) {
    return add_problem({"invalid free",
                        "",
                        caller,
                        {},
                        "memory that the CUDA runtime has allocated was given to free() or "
                        "delete: cudaFree or cudaFreeHost frees it"});
  }
  const Explanation explanation = explain(address);
  add_problem({explanation.kind,
               "",
               caller,
               {},
               std::string("the host ") + (store ? "writes " : "reads ") + explanation.sentence()});
}

}  // namespace cpu_device
