// Wrong: each block steps by its own size, so that the blocks visit elements again.
#include <algorithm>

#include "exercise.hpp"

// [kernel]
__global__ void add_reversed_kernel(const int* a, std::int64_t n, int* b) {
  // [answer]
  const std::int64_t first = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;

  for (std::int64_t i = first; i < n; i += blockDim.x) b[n - 1 - i] += a[i];
  // [/answer]
}
// [/kernel]

void add_reversed(const int* d_a, std::int64_t n, int* d_b, cudaStream_t stream) {
  // [launch]
  const int blocks = static_cast<int>(std::min<std::int64_t>(4, (n + 255) / 256));
  // [/launch]
  if (blocks > 0) add_reversed_kernel<<<blocks, 256, 0, stream>>>(d_a, n, d_b);
}
