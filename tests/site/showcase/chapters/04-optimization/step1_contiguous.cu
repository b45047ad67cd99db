// Each thread sums a contiguous slice.
#include <cuda_runtime.h>

namespace {

// [kernel]
__global__ void sum_contiguous_kernel(const int* values, int n, long long* partial) {
  const int thread = threadIdx.x;
  const int slice = n / blockDim.x;
  const int first = thread * slice;

  long long sum = 0;
  for (int i = first; i < first + slice; ++i) {
    sum += values[i] * values[i];
  }
  partial[thread] = sum;
}
// [/kernel]

}  // namespace

// [launch]
void launch_contiguous(const int* d_values, int n, long long* d_partial) {
  sum_contiguous_kernel<<<1, 512>>>(d_values, n, d_partial);
}
// [/launch]
