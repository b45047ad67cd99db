// Shows what launches cost: an empty kernel alone, a thousand in a row, and in graphs of 20 and of 200.
#include <chrono>
#include <cstdio>
#include <functional>

#include "coalesce/device.hpp"
#include "coalesce/launch.hpp"
#include "coalesce/stream.hpp"
#include "coalesce/timer.hpp"
#include "steps.hpp"

namespace chapter05 {
namespace {

__global__ void empty_kernel() {}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Prints the host's and the device's time of one kernel, when `enqueue` enqueues `kernels` of them.
void show(const char* what, const coalesce::stream& stream, int kernels,
          const std::function<void()>& enqueue) {
  enqueue();  // warm-up
  stream.synchronize();
  coalesce::event_timer timer;
  // [two-clocks]
  timer.start(stream);
  const auto start = std::chrono::steady_clock::now();
  enqueue();
  const double by_host = seconds_since(start) / kernels;
  timer.stop(stream);
  const double by_device = timer.seconds() / kernels;
  // [/two-clocks]
  std::printf("%-28s host %7.2f us, device %7.2f us a kernel\n", what, by_host * 1e6,
              by_device * 1e6);
}

}  // namespace

int launch_cost(std::int64_t) {
  const coalesce::stream stream;
  const auto launch = [&](cudaStream_t where) {
    coalesce::launch(empty_kernel, {.grid = 1, .block = 32, .stream = where});
  };
  launch(stream);
  stream.synchronize();
  if (coalesce::on_cpu_device()) {
    std::printf("The CPU device is never timed: this step needs a GPU.\n");
    return 0;
  }
  // [ways]
  show("one, and wait", stream, 1, [&] {
    launch(stream);
    stream.synchronize();
  });
  show("1000 in a row", stream, 1000, [&] {
    for (int i = 0; i < 1000; ++i) empty_kernel<<<1, 32, 0, stream>>>();
  });
  for (const int kernels : {1, 20, 200}) {
    const coalesce::graph_replay graph(launch, kernels);
    char name[40];
    std::snprintf(name, sizeof name, "a graph of %d, 10 times", kernels);
    show(name, stream, 10 * kernels, [&] {
      for (int i = 0; i < 10; ++i) graph.replay(stream);
    });
  }
  // [/ways]
  COALESCE_CHECK(cudaGetLastError());
  return 0;
}

}  // namespace chapter05
