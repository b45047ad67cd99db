// Step 5, one block: 1024 threads walk over all n elements, 1024 apart.
// Reads 4 and writes 4 bytes an element. Any n from 0 on. A block lives on one SM: the others rest.
#include "coalesce/launch.hpp"
#include "steps.hpp"

namespace chapter02 {
namespace {

// [kernel]
__global__ void scale_one_block_kernel(const int* a, std::int64_t n, int* b) {
  for (std::int64_t i = threadIdx.x; i < n; i += blockDim.x) b[i] = 3 * a[i] + 1;
}
// [/kernel]

}  // namespace

// [launch]
void one_block(const int* d_a, std::int64_t n, int* d_b, cudaStream_t stream) {
  const unsigned blocks = n > 0 ? 1 : 0;

  coalesce::launch(scale_one_block_kernel, {.grid = blocks, .block = 1024, .stream = stream}, d_a,
                   n, d_b);
}
// [/launch]

}  // namespace chapter02
