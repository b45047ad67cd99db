// The dot product in one launch: the block with the last ticket adds up the blocks' sums.
#include <algorithm>

#include "../../block_sum.hpp"
#include "coalesce/launch.hpp"
#include "exercise.hpp"

using chapter05::block_sum;

constexpr int block_threads = 256;

// [kernel]
__global__ void dot_kernel(const int* a, const int* b, std::int64_t n, std::int64_t* dot,
                           dot_workspace* work) {
  const std::int64_t first = blockIdx.x * std::int64_t{block_threads} + threadIdx.x;
  const std::int64_t stride = gridDim.x * std::int64_t{block_threads};

  // [answer]
  std::int64_t mine = 0;
  for (std::int64_t i = first; i < n; i += stride) mine += std::int64_t{a[i]} * b[i];
  std::int64_t total = block_sum<block_threads>(mine);

  __shared__ bool last;
  if (threadIdx.x == 0) {
    work->partial[blockIdx.x] = total;
    __threadfence();  // my sum first, then my ticket
    last = atomicAdd(&work->ticket, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;

  __threadfence();  // my ticket first, then the others' sums
  mine = 0;
  for (unsigned k = threadIdx.x; k < gridDim.x; k += block_threads) mine += work->partial[k];
  total = block_sum<block_threads>(mine);
  if (threadIdx.x > 0) return;
  *dot = total;
  work->ticket = 0;
  // [/answer]
}
// [/kernel]

void dot_product(const int* d_a, const int* d_b, std::int64_t n, std::int64_t* d_dot,
                 dot_workspace* d_work, cudaStream_t stream) {
  const std::int64_t blocks =
      std::clamp<std::int64_t>(coalesce::ceil_div(n, block_threads), 1, dot_workspace::most_blocks);
  coalesce::launch(
      dot_kernel, {.grid = static_cast<unsigned>(blocks), .block = block_threads, .stream = stream},
      d_a, d_b, n, d_dot, d_work);
}
