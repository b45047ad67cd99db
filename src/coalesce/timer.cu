// The kernels that timing needs: one that holds a stream, one that empties the L2 cache.
#include <algorithm>

#include "coalesce/index.hpp"
#include "coalesce/launch.hpp"
#include "coalesce/timer.hpp"

namespace coalesce::detail {
namespace {

/// Keeps the stream busy for `nanoseconds`. One thread.
__global__ void spin_kernel([[maybe_unused]] long long nanoseconds) {
#ifndef __CPU_DEVICE__
  // A clock in nanoseconds that does not change with the multiprocessor's.
  unsigned long long start, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
  do {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  } while (now - start < static_cast<unsigned long long>(nanoseconds));
#endif
}

/// Reads all words, 16 bytes a load. Their sum is never the one value that would be written, but
/// the compiler cannot know.
__global__ void read_kernel(const uint4* words, std::int64_t count, std::uint32_t* sink) {
  std::uint32_t sum = 0;
  for (std::int64_t i = global_index_x(); i < count; i += grid_size_x()) {
    const uint4 w = words[i];
    sum += w.x + w.y + w.z + w.w;
  }
  if (sum == 0xFFFFFFFFu) *sink = sum;
}

}  // namespace

void spin_for(double seconds, cudaStream_t stream) {
  launch(spin_kernel, {1, 1, 0, stream}, static_cast<long long>(seconds * 1e9));
}

void read_all(const std::uint32_t* words, std::int64_t count, std::uint32_t* sink,
              cudaStream_t stream) {
  constexpr int block = 512;
  const std::int64_t quads = count / 4;
  const dim3 grid(std::min(grid_for(quads, block).x, 2048u));
  launch(read_kernel, {grid, block, 0, stream}, reinterpret_cast<const uint4*>(words), quads, sink);
}

const char* built_for() {
#ifdef __CUDA_ARCH_LIST__
  // nvcc's list, 900 for 9.0, in words; made once.
  static const std::string text = [] {
    std::string list;
    for (const int arch : {__CUDA_ARCH_LIST__})
      list += (list.empty() ? "" : ", ") + std::to_string(arch / 100) + '.' +
              std::to_string(arch / 10 % 10);
    return list;
  }();
  return text.c_str();
#else
  return "";
#endif
}

}  // namespace coalesce::detail
