// Wrong: the clock starts while the warm-up is still running.
// in place of: kernel_time.cu
// reject: time first_launch_timed
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

  const auto start = std::chrono::steady_clock::now();
  launch_checked();
  COALESCE_CHECK(cudaDeviceSynchronize());
  const auto stop = std::chrono::steady_clock::now();
  milliseconds = std::chrono::duration<double, std::milli>(stop - start).count();
  return milliseconds;
}

}  // namespace lab51
