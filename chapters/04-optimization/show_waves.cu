// Shows waves: the same work in each block, and more and more blocks. Two kernels that differ in how many
// blocks a multiprocessor holds at once.
#include <cstdio>

#include "coalesce/device.hpp"
#include "coalesce/device_buffer.hpp"
#include "coalesce/launch.hpp"
#include "coalesce/statistics.hpp"
#include "coalesce/timer.hpp"
#include "matrix_add.hpp"
#include "resident.hpp"

namespace chapter04 {
namespace {

constexpr int threads = 128;  // a warp for each of a multiprocessor's four schedulers

// [kernel]
/// Every thread computes a chain of 20,000 steps in which each one waits for the one before it.
__global__ void chain_kernel(float* out) {
  float x = static_cast<float>(threadIdx.x);
#pragma unroll 1
  for (int k = 0; k < 20000; ++k) x = x * 0.5f + 1;
  if (x < 0) out[threadIdx.x] = x;  // never, but the compiler does not know
}
// [/kernel]

double seconds(int blocks, std::size_t ballast, float* d_out) {
  const auto launch = [&](cudaStream_t stream) {
    coalesce::launch(chain_kernel,
                     {.grid = static_cast<unsigned>(blocks),
                      .block = threads,
                      .dynamic_shared = ballast,
                      .stream = stream},
                     d_out);
  };
  return coalesce::median(coalesce::measure(launch, coalesce::quick_look()));
}

/// \param ballast bytes of shared memory that nobody uses, to leave room for fewer blocks
void print_waves(const char* title, std::size_t ballast, float* d_out) {
  const int wave = resident_blocks(reinterpret_cast<const void*>(chain_kernel), threads, ballast);
  std::printf("%s: %d blocks at once\n", title, wave);
  const double full = seconds(wave, ballast, d_out);
  for (const int blocks :
       {wave / 2, wave, wave + 1, 2 * wave, 2 * wave + 1, 10 * wave, 10 * wave + 1}) {
    const double time = seconds(blocks, ballast, d_out);
    std::printf("%7d blocks, %5.2f waves: %6.2f times as long as one wave, %3.0f %% of its rate\n",
                blocks, static_cast<double>(blocks) / wave, time / full,
                100 * blocks * full / (wave * time));
  }
}

}  // namespace

int waves(std::int64_t) {
  if (coalesce::on_cpu_device()) {
    std::printf("The CPU device is never timed: this step needs a GPU.\n");
    return 0;
  }
  coalesce::device_buffer<float> d_out(threads);
  print_waves("One block a multiprocessor", ballast_for(1), d_out.data());
  print_waves("As many as fit", 0, d_out.data());
  return 0;
}

}  // namespace chapter04
