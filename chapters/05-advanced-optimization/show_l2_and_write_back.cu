// Shows what L2 keeps: reads and writes over footprints, hot, and what a read costs when the cache is full of
// somebody's unwritten lines.
#include <algorithm>
#include <cstdio>

#include "coalesce/device.hpp"
#include "coalesce/launch.hpp"
#include "coalesce/timer.hpp"
#include "coalesce/verify.hpp"
#include "steps.hpp"

namespace chapter05 {
namespace {

// [kernel]
__global__ void read_kernel(const float4* values, std::int64_t n, float* never) {
  float sum = 0;
  for (std::int64_t i = blockIdx.x * 512 + threadIdx.x; i < n; i += gridDim.x * 512) {
    const float4 v = values[i];
    sum += v.x + v.y + v.z + v.w;
  }
  if (sum < 0) *never = sum;  // the values are positive, but the compiler does not know
}

__global__ void write_kernel(float4* values, std::int64_t n) {
  for (std::int64_t i = blockIdx.x * 512 + threadIdx.x; i < n; i += gridDim.x * 512)
    values[i] = {1, 1, 1, 1};
}
// [/kernel]

}  // namespace

int l2_and_write_back(std::int64_t) {
  const std::int64_t most = coalesce::on_cpu_device() ? 1 << 16 : 512 << 20;  // bytes
  coalesce::device_buffer<float4> d_values(most / 16), d_other(most / 16);
  coalesce::device_buffer<float> d_never(1);
  const coalesce::device_facts device = coalesce::current_device_facts();
  const dim3 grid(static_cast<unsigned>(4 * device.sms));
  const auto read = [&](std::int64_t bytes) {
    coalesce::launch(read_kernel, {.grid = grid, .block = 512}, d_values.data(), bytes / 16,
                     d_never.data());
  };
  const auto write = [&](coalesce::device_buffer<float4>& where, std::int64_t bytes) {
    coalesce::launch(write_kernel, {.grid = grid, .block = 512}, where.data(), bytes / 16);
  };
  write(d_values, most);
  read(most);
  COALESCE_CHECK(cudaDeviceSynchronize());
  if (coalesce::to_host(d_values).back().w != 1) return 1;
  if (coalesce::on_cpu_device()) {
    std::printf("The CPU device has no cache: this step needs a GPU.\n");
    return 0;
  }

  coalesce::event_timer timer;
  const auto rate = [&](const auto& before, const auto& timed, int times, double bytes) {
    double best = 1;
    for (int run = 0; run < 10; ++run) {
      before();
      timer.start();
      for (int i = 0; i < times; ++i) timed();
      timer.stop();
      best = std::min(best, timer.seconds() / times);
    }
    return bytes / best / 1e9;
  };
  for (std::int64_t bytes = 4 << 20; bytes <= most; bytes *= 2)
    std::printf("%4lld MiB: read %5.0f GB/s, written %5.0f GB/s\n",
                static_cast<long long>(bytes >> 20),
                rate([] {}, [&] { read(bytes); }, 10, static_cast<double>(bytes)),
                rate([] {}, [&] { write(d_values, bytes); }, 10, static_cast<double>(bytes)));
  // [flushes]
  coalesce::cache_flusher flusher;  // reads
  const std::int64_t part = 64 << 20;
  const double behind_reads = rate([&] { flusher.flush(nullptr); }, [&] { read(part); }, 1, part);
  const double behind_writes = rate([&] { write(d_other, most); }, [&] { read(part); }, 1, part);
  // [/flushes]
  std::printf("64 MiB read behind reads:  %5.0f GB/s\n", behind_reads);
  std::printf("64 MiB read behind writes: %5.0f GB/s\n", behind_writes);
  return 0;
}

}  // namespace chapter05
