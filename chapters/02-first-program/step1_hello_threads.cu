// Step 1, hello threads: two blocks of 40 threads; the first and last thread of each warp say where
// they are. 40 is no multiple of 32, so the second warp of each block is part empty.
#include <cstdio>

#include "coalesce/launch.hpp"
#include "steps.hpp"

namespace chapter02 {
namespace {

// [kernel]
__global__ void hello_threads_kernel() {
  const unsigned lane = threadIdx.x % warpSize;
  const unsigned warp = threadIdx.x / warpSize;

  if (lane == 0 || threadIdx.x == blockDim.x - 1)
    printf("block %u of %u, thread %2u of %u: warp %u, lane %2u\n", blockIdx.x, gridDim.x,
           threadIdx.x, blockDim.x, warp, lane);
}
// [/kernel]

}  // namespace

// [launch]
int hello_threads(std::int64_t) {
  coalesce::launch(hello_threads_kernel, {.grid = 2, .block = 40});
  COALESCE_CHECK(cudaDeviceSynchronize());
  return 0;
}
// [/launch]

}  // namespace chapter02
