/// @file
/// The kernels' clocks.
#include <atomic>
#include <chrono>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

extern "C" {

long long cpu_device_clock() {
#if defined(__x86_64__)
  return static_cast<long long>(__rdtsc());
#else
  return std::chrono::steady_clock::now().time_since_epoch().count();
#endif
}

unsigned long long __globaltimer_cpu_device() {
  return static_cast<unsigned long long>(std::chrono::steady_clock::now().time_since_epoch() /
                                         std::chrono::nanoseconds(1));
}

}  // extern "C"
