// Reverse a block, through shared memory: the block puts its elements down, waits, and takes them up again.
// Reads 4 bytes an element, writes 4. Any n from 0 on.
#include "coalesce/launch.hpp"
#include "steps.hpp"

namespace chapter05 {
namespace {

// [kernel]
__global__ void reverse_kernel(const int* in, std::int64_t n, int* out) {
  __shared__ int tile[reverse_block_size];
  const int t = threadIdx.x;
  const std::int64_t first = blockIdx.x * std::int64_t{blockDim.x};
  const int count = static_cast<int>(min(n - first, std::int64_t{blockDim.x}));

  if (t < count) tile[t] = in[first + t];
  __syncthreads();  // all threads come here, also those without an element

  if (t < count) out[first + t] = tile[count - 1 - t];
}
// [/kernel]

}  // namespace

// [launch]
void reverse_shared(const int* d_in, std::int64_t n, int* d_out, cudaStream_t stream) {
  coalesce::launch(reverse_kernel,
                   {.grid = coalesce::grid_for(n, reverse_block_size),
                    .block = reverse_block_size,
                    .stream = stream},
                   d_in, n, d_out);
}
// [/launch]

}  // namespace chapter05
