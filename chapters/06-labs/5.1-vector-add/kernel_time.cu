// Lab 5.1: the time of a kernel, without its first launch and with its end.
#include "coalesce/error.hpp"
#include "coalesce/stream.hpp"
#include "lab.hpp"

namespace lab51 {

// [time]
double kernel_milliseconds(void (*launch)(void* context), void* context) {
  double milliseconds = 0;
  // [answer]
  const auto launch_checked = [&] {
    launch(context);
    COALESCE_CHECK(cudaGetLastError());
  };
  launch_checked();  // warm-up

  constexpr int launches = 5;
  coalesce::event start, stop;
  COALESCE_CHECK(cudaEventRecord(start.get(), nullptr));
  for (int i = 0; i < launches; ++i) launch_checked();
  COALESCE_CHECK(cudaEventRecord(stop.get(), nullptr));
  COALESCE_CHECK(cudaEventSynchronize(stop.get()));

  float between = 0;
  COALESCE_CHECK(cudaEventElapsedTime(&between, start.get(), stop.get()));
  milliseconds = between / launches;
  // [/answer]
  return milliseconds;
}
// [/time]

}  // namespace lab51
