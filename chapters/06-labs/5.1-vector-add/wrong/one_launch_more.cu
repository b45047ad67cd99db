// Wrong: the loop launches once more than the time is divided by.
// in place of: kernel_time.cu
// reject: time launches_miscounted
#include "coalesce/error.hpp"
#include "coalesce/stream.hpp"
#include "lab.hpp"

namespace lab51 {
double kernel_milliseconds(void (*launch)(void* context), void* context) {
  double milliseconds = 0;
  const auto launch_checked = [&] {
    launch(context);
    COALESCE_CHECK(cudaGetLastError());
  };
  launch_checked();  // warm-up

  constexpr int launches = 5;
  coalesce::event start, stop;
  COALESCE_CHECK(cudaEventRecord(start.get(), nullptr));
  for (int i = 0; i <= launches; ++i) launch_checked();
  COALESCE_CHECK(cudaEventRecord(stop.get(), nullptr));
  COALESCE_CHECK(cudaEventSynchronize(stop.get()));

  float between = 0;
  COALESCE_CHECK(cudaEventElapsedTime(&between, start.get(), stop.get()));
  milliseconds = between / launches;
  return milliseconds;
}

}  // namespace lab51
