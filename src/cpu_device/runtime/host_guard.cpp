#include "host_guard.h"

#include <sys/mman.h>

#include <algorithm>
#include <set>
#include <vector>

#include "memory.h"

namespace cpu_device {
namespace {

constexpr uintptr_t kPage = 4096;

struct Guard {
  const Task* task;
  HostMemory memory;
  bool against_reads;
  Party caller;
  std::set<uintptr_t> open_pages;  // the host may use other parts of them

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
};

std::vector<Guard> guards;
int open_count = 0;

void protect(uintptr_t page, size_t bytes, int how) {
  mprotect(reinterpret_cast<void*>(page), bytes, how);
}

void open_all() {
  protect_device_memory(PROT_READ | PROT_WRITE);
  for (const Guard& each : guards) {
    protect(each.first_page(), each.end() - each.first_page(), PROT_READ | PROT_WRITE);
  }
}

void close_all() {
  protect_device_memory(PROT_NONE);
  for (const bool against_reads : {false, true}) {  // the stricter ones last
    for (const Guard& each : guards) {
      if (each.against_reads != against_reads) continue;
      const int how = against_reads ? PROT_NONE : PROT_READ;
      if (each.open_pages.empty()) {
        protect(each.first_page(), each.end() - each.first_page(), how);
        continue;
      }
      for (uintptr_t page = each.first_page(); page < each.end(); page += kPage) {
        if (!each.open_pages.count(page)) protect(page, kPage, how);
      }
    }
  }
}

}  // namespace

OpenMemory::OpenMemory() {
  if (checking() && open_count++ == 0) open_all();
}

OpenMemory::~OpenMemory() {
  if (checking() && --open_count == 0) close_all();
}

void guard(const Task* task, const HostMemory& memory, bool against_reads, const Party& caller) {
  guards.push_back({task, memory, against_reads, caller, {}});
}

void unguard(const Task* task) {
  std::erase_if(guards, [=](const Guard& each) { return each.task == task; });
}

bool host_touched(uintptr_t address, const void* pc, bool store) {
  if (!checking() || !in_arena(address)) return false;
  Party caller = this_call();
  caller.frames.insert(caller.frames.begin(), pc);
  const uintptr_t page = address / kPage * kPage;
  bool guarded = false;
  for (Guard& each : guards) {
    if (page < each.first_page() || page >= each.end() || each.open_pages.count(page)) continue;
    guarded = true;
    each.open_pages.insert(page);
    if (!each.covers(address)) continue;
    add_problem({"early host access", "", caller, each.caller,
                 std::string("the host ") + (store ? "writes" : "reads") +
                     (each.against_reads ? " the target" : " the source") +
                     " of an asynchronous copy that it has not waited for: a synchronising call "
                     "is missing before it"});
  }
  if (guarded) {
    protect(page, kPage, PROT_READ | PROT_WRITE);
    return true;
  }
  const auto near = allocation_near(address);
  if (!near || near->kind != MemoryKind::kDevice || near->freed) return false;
  add_problem({"device pointer on the host",
               "",
               caller,
               {},
               std::string("the host ") + (store ? "writes" : "reads") +
                   " device memory: it must be copied with cudaMemcpy"});
  return false;
}

}  // namespace cpu_device
