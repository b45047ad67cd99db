// Wrong: the host's clock stops before the kernel does.
// in place of: kernel_time.cu
// reject: time timed_without_waiting
#include <chrono>

#include "coalesce/error.hpp"
#include "lab.hpp"

namespace lab51 {
double kernel_milliseconds(void (*launch)(void* context), void* context) {
  double milliseconds = 0;
  const auto launch_checked = [&] {
    launch(context);
    COALESCE_CHECK(cudaGetLastError());
  };
  launch_checked();  // warm-up
  COALESCE_CHECK(cudaDeviceSynchronize());

  const auto start = std::chrono::steady_clock::now();
  launch_checked();
  const auto stop = std::chrono::steady_clock::now();
  milliseconds = std::chrono::duration<double, std::milli>(stop - start).count();
  return milliseconds;
}

}  // namespace lab51
