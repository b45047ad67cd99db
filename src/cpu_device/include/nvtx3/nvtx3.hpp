/// @file
/// NVTX for C++: objects that mark a scope for a profiler; they do nothing here.
#pragma once
#pragma GCC system_header
#include <nvtx3/nvToolsExt.h>

namespace nvtx3 {
inline namespace v1 {

struct domain {
  struct global {};
};
struct rgb {
  template <class... Parts>
  constexpr explicit rgb(Parts...) {}
};
struct argb {
  template <class... Parts>
  constexpr explicit argb(Parts...) {}
};
struct color {
  template <class... Parts>
  constexpr explicit color(Parts...) {}
};
struct payload {
  template <class Value>
  constexpr explicit payload(Value) {}
};
struct category {
  constexpr explicit category(uint32_t) {}
};
struct event_attributes {
  template <class... Arguments>
  constexpr explicit event_attributes(const Arguments&...) {}
};

template <class Domain = domain::global>
class scoped_range_in {
 public:
  template <class... Arguments>
  explicit scoped_range_in(const Arguments&...) {
    nvtxRangePushA("");
  }
  scoped_range_in(const scoped_range_in&) = delete;
  scoped_range_in& operator=(const scoped_range_in&) = delete;
  ~scoped_range_in() { nvtxRangePop(); }
};
using scoped_range = scoped_range_in<>;
using scoped_thread_range = scoped_range_in<>;

template <class Domain = domain::global>
class unique_range_in {
 public:
  template <class... Arguments>
  explicit unique_range_in(const Arguments&...) {}
};
using unique_range = unique_range_in<>;

template <class... Arguments>
void mark(const Arguments&...) {}

}  // namespace v1
}  // namespace nvtx3

#define NVTX3_FUNC_RANGE() const ::nvtx3::scoped_range cpu_device_function_range(__func__)
#define NVTX3_FUNC_RANGE_IN(Domain) NVTX3_FUNC_RANGE()
