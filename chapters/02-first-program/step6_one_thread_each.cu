// Step 6, one thread for each element: as many blocks as that takes, which every SM gets a share of.
// Reads 4 and writes 4 bytes an element. Any n from 0 on.
#include "coalesce/launch.hpp"
#include "steps.hpp"

namespace chapter02 {
namespace {

// [kernel]
__global__ void scale_one_thread_each_kernel(const int* a, std::int64_t n, int* b) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;

  if (i < n) b[i] = 3 * a[i] + 1;
}
// [/kernel]

}  // namespace

// [launch]
void one_thread_each(const int* d_a, std::int64_t n, int* d_b, cudaStream_t stream) {
  constexpr int block = 256;
  const auto blocks = static_cast<unsigned>(coalesce::ceil_div(n, block));

  coalesce::launch(scale_one_thread_each_kernel, {.grid = blocks, .block = block, .stream = stream},
                   d_a, n, d_b);
}
// [/launch]

}  // namespace chapter02
