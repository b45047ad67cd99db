#include "occupancy.h"

#include <algorithm>
#include <climits>

namespace cpu_device {
namespace {

constexpr size_t kKiB = 1024;

size_t round_up(size_t value, size_t to) {
  return (value + to - 1) / to * to;
}

/// The smallest split between first-level cache and shared memory that gives `bytes` of the
/// latter; 0 when there is none.
size_t split_with(const Gpu& gpu, size_t bytes) {
  static constexpr size_t turing[] = {32, 64}, small[] = {0, 8, 16, 32, 64, 100},
                          a100[] = {0, 8, 16, 32, 64, 100, 132, 164},
                          hopper[] = {0, 8, 16, 32, 64, 100, 132, 164, 196, 228},
                          volta[] = {0, 8, 16, 32, 64, 96};
  const auto least = [bytes](const auto& sizes) {
    for (const size_t size : sizes) {
      if (bytes <= size * kKiB) return size * kKiB;
    }
    return size_t{0};
  };
  if (gpu.major == 7) return gpu.minor == 5 ? least(turing) : least(volta);
  if (gpu.major == 8) return gpu.minor == 0 || gpu.minor == 7 ? least(a100) : least(small);
  if (gpu.major == 12) return least(small);
  return least(hopper);
}

/// Shared memory that a multiprocessor sets aside when nobody needs more.
size_t preferred_shared(const Gpu& gpu, const Needs& needs) {
  const auto all = static_cast<size_t>(gpu.shared_per_multiprocessor);
  if (gpu.major < 7) return all;
  int percent = needs.carveout;
  if (percent < 0 && needs.cache == cudaFuncCachePreferL1) percent = 0;
  if (percent < 0 && needs.cache == cudaFuncCachePreferEqual) percent = 50;
  if (percent < 0) return all;
  return split_with(gpu, static_cast<size_t>(percent) * all / 100);
}

/// Bytes that a block may have at most, the GPU's own share included.
size_t shared_limit(const Gpu& gpu, const Needs& needs, size_t wanted) {
  const auto plain = static_cast<size_t>(gpu.shared_per_block);
  const bool more = gpu.major >= 7 && needs.opted_in && wanted > plain;
  return (more ? static_cast<size_t>(gpu.shared_per_block_optin) : plain) +
         static_cast<size_t>(gpu.reserved_shared);
}

int by_shared(const Gpu& gpu, const Needs& needs, size_t dynamic_shared) {
  const size_t fixed = needs.static_shared + static_cast<size_t>(gpu.reserved_shared);
  const size_t block =
      round_up(fixed + dynamic_shared, static_cast<size_t>(gpu.shared_granularity));
  if (needs.opted_in && dynamic_shared > needs.max_dynamic_shared) return 0;
  if (block > shared_limit(gpu, needs, fixed + needs.max_dynamic_shared)) return 0;
  if (!block) return INT_MAX;
  size_t all = preferred_shared(gpu, needs);
  if (all < block) {
    all = gpu.major >= 7 ? split_with(gpu, block)
                         : static_cast<size_t>(gpu.shared_per_multiprocessor);
  }
  return static_cast<int>(all / block);
}

int by_registers(const Gpu& gpu, const Needs& needs, int warps) {
  const auto portion = static_cast<size_t>(gpu.register_granularity);
  const int warp = static_cast<int>(round_up(static_cast<size_t>(needs.registers) * 32, portion));
  const int partitions = gpu.warp_granularity;  // each has a share of the registers of its own
  const int assumed =
      static_cast<int>(round_up(static_cast<size_t>(warps), static_cast<size_t>(partitions)));
  if (warp * assumed > gpu.registers_per_block) return 0;
  const int warps_resident = gpu.registers_per_multiprocessor / partitions / warp * partitions;
  return warps_resident / warps;
}

}  // namespace

int resident_blocks(const Gpu& gpu, const Needs& needs, int threads, size_t dynamic_shared) {
  if (threads > needs.max_threads) return 0;
  const int warps = (threads + 31) / 32;
  return std::min({gpu.threads_per_multiprocessor / 32 / warps, by_registers(gpu, needs, warps),
                   by_shared(gpu, needs, dynamic_shared), gpu.blocks_per_multiprocessor});
}

long available_dynamic_shared(const Gpu& gpu, const Needs& needs, int blocks, int threads) {
  if (blocks <= 0 || resident_blocks(gpu, needs, threads, 0) < blocks) return -1;
  const auto portion = static_cast<size_t>(gpu.shared_granularity);
  const size_t limit = shared_limit(gpu, needs, static_cast<size_t>(gpu.shared_per_multiprocessor));
  size_t all = limit;  // one block may have what it likes
  if (blocks > 1) {
    all = preferred_shared(gpu, needs);
    if (!all) all = split_with(gpu, 1);
  }
  const size_t each = std::min(all / static_cast<size_t>(blocks) / portion * portion, limit);
  return static_cast<long>(std::min(each - needs.static_shared, needs.max_dynamic_shared));
}

}  // namespace cpu_device
