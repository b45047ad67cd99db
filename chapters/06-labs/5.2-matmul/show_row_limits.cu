// Shows what a row of A in dynamic shared memory costs: how many blocks a multiprocessor holds, for rows of
// more and more floats, until one block no longer fits.
#include <cstdio>
#include <initializer_list>

#include "coalesce/device.hpp"
#include "coalesce/error.hpp"
#include "shows.hpp"

namespace lab52 {
namespace {

__global__ void row_kernel(const float* a, std::int64_t n, float* sum) {
  extern __shared__ float row_of_a[];
  for (std::int64_t k = threadIdx.x; k < n; k += blockDim.x) row_of_a[k] = a[k];
  __syncthreads();
  if (threadIdx.x == 0) *sum = row_of_a[n - 1];
}

}  // namespace

int row_limits(std::int64_t) {
  const coalesce::device_facts facts = coalesce::current_device_facts();
  int device = 0, usual = 0, most = 0;
  COALESCE_CHECK(cudaGetDevice(&device));
  COALESCE_CHECK(cudaDeviceGetAttribute(&usual, cudaDevAttrMaxSharedMemoryPerBlock, device));
  COALESCE_CHECK(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
  COALESCE_CHECK(
      cudaFuncSetAttribute(row_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, most));
  std::printf("without asking: %d floats; after opting in: %d floats\n", usual / 4, most / 4);
  std::printf("%8s %10s   occupancy with blocks of 256 and of 1024 threads\n", "n", "bytes");
  for (const int n : {250, 1000, 4000, 7000, 8192, 12288, 12289, 16384, 28000, 29000, most / 4}) {
    const int bytes = n * static_cast<int>(sizeof(float));
    if (bytes > most) continue;
    std::printf("%8d %10d  ", n, bytes);
    for (const int threads : {256, 1024}) {
      int blocks = 0;
      // [occupancy]
      COALESCE_CHECK(
          cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, row_kernel, threads, bytes));
      // [/occupancy]
      std::printf(" %3d %%", 100 * blocks * threads / facts.max_threads_per_sm);
    }
    std::printf("\n");
  }
  return 0;
}

}  // namespace lab52
