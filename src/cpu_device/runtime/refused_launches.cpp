#include "refused_launches.h"

#include <string>
#include <vector>

#include "errors.h"
#include "kernel.h"
#include "problems.h"

namespace cpu_device {
namespace {

/// Never destroyed: it is read when the program has ended.
std::vector<Problem>& unread() {
  static thread_local auto& once = *new std::vector<Problem>;
  return once;
}

}  // namespace

void note_launch(const void* function, const void* place, cudaError_t error) {
  if (!checking() || error == cudaSuccess || context_error() != cudaSuccess) return;
  const Kernel* kernel = find_kernel(function);
  Party caller = this_call();  // the stub's line would be the kernel's
  caller.frames.insert(caller.frames.begin(), place);
  unread().push_back({"unread error",
                      kernel ? kernel->name : "",
                      std::move(caller),
                      {},
                      std::string("the launch was refused with ") + cudaGetErrorName(error) + " (" +
                          cudaGetErrorString(error) +
                          "), so the kernel never ran, and the program never asked: "
                          "cudaGetLastError() is missing behind it"});
}

void error_was_read() {
  unread().clear();
}

void report_refused_launches() {
  for (Problem& each : unread()) add_problem(std::move(each));
  unread().clear();
}

}  // namespace cpu_device
