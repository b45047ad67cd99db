// Thread t takes the elements t, t + 512, t + 1024 and so on.
#include <cuda_runtime.h>

namespace {

// [kernel]
__global__ void sum_strided_kernel(const int* __restrict__ values, int n, long long* partial) {
  const int thread = threadIdx.x;

  long long sum = 0;
  for (int i = thread; i < n; i += blockDim.x) {
    sum += values[i] * values[i];
  }
  partial[thread] = sum;
}
// [/kernel]

}  // namespace

// [launch]
void launch_strided(const int* d_values, int n, long long* d_partial) {
  sum_strided_kernel<<<1, 512>>>(d_values, n, d_partial);
}
// [/launch]
