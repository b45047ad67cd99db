// Reverse a block, directly: every thread fetches the element that belongs at its place.
// Reads 4 bytes an element, writes 4. Any n from 0 on.
#include "coalesce/launch.hpp"
#include "steps.hpp"

namespace chapter05 {
namespace {

// [kernel]
__global__ void reverse_kernel(const int* in, std::int64_t n, int* out) {
  const int t = threadIdx.x;
  const std::int64_t first = blockIdx.x * std::int64_t{blockDim.x};
  const int count = static_cast<int>(min(n - first, std::int64_t{blockDim.x}));
  if (t >= count) return;

  out[first + t] = in[first + count - 1 - t];
}
// [/kernel]

}  // namespace

// [launch]
void reverse_direct(const int* d_in, std::int64_t n, int* d_out, cudaStream_t stream) {
  coalesce::launch(reverse_kernel,
                   {.grid = coalesce::grid_for(n, reverse_block_size),
                    .block = reverse_block_size,
                    .stream = stream},
                   d_in, n, d_out);
}
// [/launch]

}  // namespace chapter05
