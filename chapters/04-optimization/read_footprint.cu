// The bandwidth of memory: every block reads round and round in the same array, from a start of its own, 16
// bytes a load. A small array stays in L1, a larger one in L2, a large one comes from DRAM.
#include "coalesce/device.hpp"
#include "coalesce/launch.hpp"
#include "steps.hpp"

namespace chapter04 {
namespace {

// [kernel]
__global__ void read_footprint_kernel(const uint4* vectors, unsigned count, int turns,
                                      unsigned* sums, unsigned* next) {
  const std::int64_t first = *next;  // below count
  const std::int64_t share = std::int64_t{blockIdx.x} * count / gridDim.x;
  unsigned i = count == 0 ? 0 : static_cast<unsigned>((first + share + threadIdx.x) % count);
  const unsigned step = count == 0 ? 0 : blockDim.x % count;

  unsigned sum = 0;
#pragma unroll 8
  for (int turn = 0; turn < turns; ++turn) {
    const uint4 four = vectors[i];
    sum += four.x + four.y + four.z + four.w;
    i += step;
    if (i >= count) i -= count;
  }

  sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
  if (blockIdx.x == 0 && threadIdx.x == 0) sums[gridDim.x * blockDim.x] = first;
  if (gridDim.x == 1 && count > 0) {  // alone: the next launch goes on where this one ends
    __syncthreads();                  // all threads have read `next`
    if (threadIdx.x == 0)
      *next = static_cast<unsigned>((first + std::int64_t{turns} * blockDim.x) % count);
  }
}
// [/kernel]

}  // namespace

int read_blocks_of_device() {
  static const int blocks = 2 * coalesce::current_device_facts().sms;  // 2048 threads an SM
  return blocks;
}

// [launch]
void read_footprint(const int* d_values, std::int64_t n, int* d_sums, void* d_next, int blocks,
                    cudaStream_t stream) {
  const auto count = static_cast<unsigned>(n / 4);  // whole vectors
  coalesce::launch(read_footprint_kernel,
                   {.grid = static_cast<unsigned>(blocks), .block = read_threads, .stream = stream},
                   reinterpret_cast<const uint4*>(d_values), count, count > 0 ? read_turns : 0,
                   reinterpret_cast<unsigned*>(d_sums), static_cast<unsigned*>(d_next));
}
// [/launch]

}  // namespace chapter04
