// Count, one atomic a thread: every thread that finds a small element adds 1 to the one counter.
// Reads 4 bytes an element. Any n from 0 to 2^32 - 1.
#include "coalesce/error.hpp"
#include "coalesce/launch.hpp"
#include "steps.hpp"

namespace chapter05 {
namespace {

constexpr int block_threads = 256;

// [kernel]
__global__ void count_kernel(const int* in, std::int64_t n, std::uint32_t* count) {
  const std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x;
  const bool small = i < n && in[i] < 5;

  if (small) atomicAdd(count, 1u);
}
// [/kernel]

}  // namespace

// [launch]
void count_by_thread(const int* d_in, std::int64_t n, std::uint32_t* d_count, cudaStream_t stream) {
  COALESCE_CHECK(cudaMemsetAsync(d_count, 0, sizeof *d_count, stream));
  coalesce::launch(
      count_kernel,
      {.grid = coalesce::grid_for(n, block_threads), .block = block_threads, .stream = stream},
      d_in, n, d_count);
}
// [/launch]

}  // namespace chapter05
