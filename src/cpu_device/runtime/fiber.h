/// @file
/// Fibers: stacks that lanes run on. A fiber never leaves its OS thread, since compilers keep
/// addresses of thread-local variables across calls. On x86-64 a few instructions of our own switch
/// stacks, which halves the time of Boost.Context's: all fibers share one floating-point state.
#pragma once

#if !defined(__x86_64__)
#include <boost/context/detail/fcontext.hpp>
#endif
#include <cstddef>
#include <vector>

namespace cpu_device {

using Context = void*;  ///< the stack pointer of what does not run now

struct Fiber {
  Context context = nullptr;  ///< null: starts anew when resumed
  char* stack = nullptr;      ///< lowest usable byte
};

constexpr size_t kFiberStackBytes = 256 * 1024;
constexpr size_t kFiberGuardBytes = 4096;  // below each stack, which nobody may touch

#if defined(__x86_64__)

extern "C" void cpu_device_switch_stack(Context to, Context* from);

/// Switches to `to`; the place to come back to is stored in *from.
inline void switch_fiber(Context to, Context* from) {
  cpu_device_switch_stack(to, from);
}

#else

inline void switch_fiber(Context to, Context* from) {
  const auto transfer = boost::context::detail::jump_fcontext(to, from);
  *static_cast<Context*>(transfer.data) = transfer.fctx;
}

#endif

/// A context that calls `main`, which never returns, on an unused stack.
Context new_context(char* stack, void (*main)());

/// The fibers of one OS thread.
class FiberPool {
 public:
  Fiber* take();
  /// Takes these very fibers, all of which are idle.
  void take(const std::vector<Fiber*>& wanted);
  void give(Fiber* fiber) { idle_.push_back(fiber); }
  /// Is `address` on some fiber's stack?
  bool contains(const void* address) const;

 private:
  std::vector<Fiber*> idle_;
  std::vector<char*> slabs_;
};

}  // namespace cpu_device
