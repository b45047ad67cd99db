// Step 9, the four launch parameters: <<<grid, block, shared bytes, stream>>>. The third is the size
// of the block's dynamic shared array, the fourth the queue that the launch joins.
#include <cstdio>

#include "coalesce/device_buffer.hpp"
#include "coalesce/launch.hpp"
#include "coalesce/stream.hpp"
#include "steps.hpp"

namespace chapter02 {
namespace {

// [kernel]
__global__ void reverse_block_kernel(int* values) {
  extern __shared__ int copy[];  // as many ints as the launch asked bytes for
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

  copy[threadIdx.x] = values[i];
  __syncthreads();  // no thread goes on before every thread of the block is here
  values[i] = copy[blockDim.x - 1 - threadIdx.x];
}
// [/kernel]

}  // namespace

// [launch]
int launch_parameters(std::int64_t) {
  int values[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  coalesce::device_buffer<int> d_values(8);
  const coalesce::stream stream;
  d_values.copy_from_host(values, stream.get());

  const dim3 grid(2);
  const dim3 block(4);
  const std::size_t shared_bytes = 4 * sizeof(int);
  reverse_block_kernel<<<grid, block, shared_bytes, stream.get()>>>(d_values.data());
  COALESCE_CHECK(cudaGetLastError());
  // [/launch]

  d_values.copy_to_host(values, stream.get());
  for (const int value : values) std::printf("%d ", value);
  std::printf("\n");
  const int wanted[8] = {3, 2, 1, 0, 7, 6, 5, 4};
  for (int i = 0; i < 8; ++i)
    if (values[i] != wanted[i]) return 1;
  return 0;
}

}  // namespace chapter02
