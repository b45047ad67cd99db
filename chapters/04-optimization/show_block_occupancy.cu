// Shows, for each shape of a block, the share of a multiprocessor's warps that can be resident, and the share
// that was: each warp of the addition notes when it began and when it had its sums.
#include <cstdio>

#include "coalesce/device.hpp"
#include "coalesce/device_buffer.hpp"
#include "coalesce/index.hpp"
#include "coalesce/launch.hpp"
#include "coalesce/timer.hpp"
#include "matrix_add.hpp"
#include "matrix_shape.hpp"
#include "occupancy_map.hpp"

namespace chapter04 {
namespace {

// [kernel]
__global__ void add_watched_kernel(const float* a, const float* b, std::int64_t nx, std::int64_t ny,
                                   float* c, sm_cycles* sms) {
  const long long begin = clock64();
  const std::int64_t col = coalesce::widened_index(blockIdx.x, blockDim.x, threadIdx.x);
  const std::int64_t row = coalesce::widened_index(blockIdx.y, blockDim.y, threadIdx.y);

  long long end = begin;
  if (col < nx && row < ny) {
    const std::int64_t i = row * nx + col;
    const float sum = a[i] + b[i];
    c[i] = sum;
    if (sum < 4) end = clock64();  // always, but not before the sum is there
  }

  if ((threadIdx.y * blockDim.x + threadIdx.x) % warpSize != 0) return;
  sm_cycles& sm = sms[own_sm()];
  atomicAdd(&sm.busy, static_cast<unsigned long long>(end - begin));
  atomicMin(&sm.first, static_cast<unsigned long long>(begin));
  atomicMax(&sm.last, static_cast<unsigned long long>(end));
}
// [/kernel]

double theoretical(dim3 block, int most_warps) {
  int blocks = 0;
  // [theoretical]
  COALESCE_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      &blocks, add_watched_kernel, static_cast<int>(block.x * block.y), 0));
  const int warps = blocks * static_cast<int>(coalesce::ceil_div(block.x * block.y, 32u));
  // [/theoretical]
  return static_cast<double>(warps) / most_warps;
}

}  // namespace

int block_occupancy(std::int64_t wanted) {
  const auto facts = coalesce::current_device_facts();
  const int most_warps = facts.max_threads_per_sm / 32;
  print_map("theoretical occupancy", [&](dim3 block) { return theoretical(block, most_warps); });
  if (coalesce::on_cpu_device()) {
    std::printf("The CPU device has no cycles: achieved occupancy needs a GPU.\n");
    return 0;
  }

  const auto fitted = coalesce::default_elements(std::int64_t{1} << 28, 3 * sizeof(float));
  const auto [nx, ny] = shape_of(wanted > 0 ? wanted : fitted.elements);
  coalesce::device_buffer<float> d_a(nx * ny), d_b(nx * ny), d_c(nx * ny);
  d_a.fill_bytes(0);
  d_b.fill_bytes(0);
  coalesce::device_buffer<sm_cycles> d_sms(most_sms);
  print_map("achieved occupancy", [&](dim3 block) {
    const auto launch = [&] {
      const std::vector<sm_cycles> fresh(most_sms, {0, ~0ull, 0});
      d_sms.copy_from_host(fresh);
      coalesce::launch(add_watched_kernel,
                       {.grid = coalesce::grid_for(nx, ny, block), .block = block}, d_a.data(),
                       d_b.data(), nx, ny, d_c.data(), d_sms.data());
    };
    launch();  // warm-up
    launch();
    return achieved(coalesce::to_host(d_sms), most_warps);
  });
  return 0;
}

}  // namespace chapter04
