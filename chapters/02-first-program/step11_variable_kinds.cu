// Step 11, kinds of variables: __device__, __constant__, __managed__ and __shared__, and how the host
// reaches each of them.
#include <cstdio>

#include "coalesce/launch.hpp"
#include "steps.hpp"

namespace chapter02 {
namespace {

// [variables]
__device__ int device_value =
    1;  // global memory; one for all threads, lives as long as the program
__constant__ int constant_value = 2;  // read-only in kernels; the host sets it before a launch
__managed__ int managed_value = 3;    // host and device use the same name for the same memory
// [/variables]

// [kernel]
__global__ void sum_kernel(int* sum) {
  __shared__ int per_thread[4];  // one array for each block, gone with the block

  per_thread[threadIdx.x] = device_value + constant_value + managed_value;
  __syncthreads();

  if (threadIdx.x == 0) *sum = per_thread[0] + per_thread[1] + per_thread[2] + per_thread[3];
}
// [/kernel]

__managed__ int result;

int sum_of_kinds() {
  coalesce::launch(sum_kernel, {.grid = 1, .block = 4}, &result);
  COALESCE_CHECK(cudaDeviceSynchronize());  // before the host touches managed memory
  return result;
}

}  // namespace

// [launch]
int variable_kinds(std::int64_t) {
  const int before = sum_of_kinds();  // 4 · (1 + 2 + 3)

  const int ten = 10, twenty = 20;
  COALESCE_CHECK(cudaMemcpyToSymbol(device_value, &ten, sizeof ten));
  COALESCE_CHECK(cudaMemcpyToSymbol(constant_value, &twenty, sizeof twenty));
  managed_value = 30;                // a plain write, which is allowed for this kind only
  const int after = sum_of_kinds();  // 4 · (10 + 20 + 30)

  int read_back = 0;
  COALESCE_CHECK(cudaMemcpyFromSymbol(&read_back, device_value, sizeof read_back));
  const int restored[2] = {1, 2};
  COALESCE_CHECK(cudaMemcpyToSymbol(device_value, &restored[0], sizeof(int)));
  COALESCE_CHECK(cudaMemcpyToSymbol(constant_value, &restored[1], sizeof(int)));
  managed_value = 3;
  // [/launch]

  std::printf("with the first values: %d\n", before);
  std::printf("with the new values:   %d\n", after);
  std::printf("device_value was       %d\n", read_back);
  return before == 24 && after == 240 && read_back == 10 ? 0 : 1;
}

}  // namespace chapter02
