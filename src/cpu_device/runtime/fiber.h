/// @file
/// Fibers: stacks that lanes run on, switched by Boost.Context. A fiber never leaves its OS thread,
/// since compilers keep addresses of thread-local variables across calls.
#pragma once

#include <boost/context/detail/fcontext.hpp>
#include <cstddef>
#include <vector>

namespace cpu_device {

struct Fiber {
  boost::context::detail::fcontext_t context = nullptr;  ///< null: starts anew when resumed
  char* stack = nullptr;                                 ///< lowest usable byte
};

constexpr size_t kFiberStackBytes = 256 * 1024;  // each above a page that nobody may touch

/// Switches to `to`; the place to come back to is stored in *from.
inline void switch_fiber(boost::context::detail::fcontext_t to,
                         boost::context::detail::fcontext_t* from) {
  const auto transfer = boost::context::detail::jump_fcontext(to, from);
  *static_cast<boost::context::detail::fcontext_t*>(transfer.data) = transfer.fctx;
}

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
