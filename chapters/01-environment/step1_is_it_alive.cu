// Step 1, is it alive: the device adds 1 to every number of an array.
// Reads 4 bytes an element and writes 4. Any n from 0 on.
#include "coalesce/launch.hpp"
#include "steps.hpp"

namespace chapter01 {
namespace {

// [kernel]
__global__ void add_one_kernel(const int* in, std::int64_t n, int* out) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;

  if (i < n) out[i] = in[i] + 1;
}
// [/kernel]

}  // namespace

// [launch]
void is_it_alive(const int* d_in, std::int64_t n, int* d_out, cudaStream_t stream) {
  constexpr int threads = 256;
  coalesce::launch(add_one_kernel,
                   {.grid = coalesce::grid_for(n, threads), .block = threads, .stream = stream},
                   d_in, n, d_out);
}
// [/launch]

}  // namespace chapter01
