// Right: ten runs of two sums of the same floats. The atomic one must stay within the tolerance, and may differ
// from run to run; the tree must give the same bits ten times.
// expect: cpu exit 0 /10 atomic sums within the tolerance, 1 sum of the tree/
// expect: gpu exit 0 /10 atomic sums within the tolerance, 1 sum of the tree/
// expect: nogpu exit 77 /\ASKIP: no GPU/
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <set>
#include <vector>

constexpr int threads = 128, n = 5000;
constexpr int blocks = (n + threads - 1) / threads;

__global__ void atomic_sum(const float* values, float* sum) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(sum, values[i]);
}

/// One block adds everything, by a tree whose shape does not depend on the order of threads.
__global__ void tree_sum(const float* values, float* sum) {
  __shared__ float part[threads];
  float mine = 0;
  for (int i = threadIdx.x; i < n; i += threads) mine += values[i];
  part[threadIdx.x] = mine;
  for (int apart = threads / 2; apart > 0; apart /= 2) {
    __syncthreads();
    if (threadIdx.x < apart) part[threadIdx.x] += part[threadIdx.x + apart];
  }
  if (threadIdx.x == 0) *sum = part[0];
}

int main() {
  int gpus = 0;
  if (cudaGetDeviceCount(&gpus) != cudaSuccess || gpus == 0) {
    std::puts("SKIP: no GPU");
    return 77;
  }
  std::vector<float> values(n);
  double want = 0, magnitude = 0;
  for (int i = 0; i < n; ++i) {
    values[i] = std::sin(0.37f * i) * (1 + i % 13);
    want += values[i];
    magnitude += std::fabs(values[i]);
  }
  const double tolerance = n * 0x1p-23 * magnitude;
  float *d_values = nullptr, *d_sum = nullptr, got = 0;
  if (cudaMalloc(&d_values, n * sizeof(float)) || cudaMalloc(&d_sum, sizeof(float))) return 1;
  if (cudaMemcpy(d_values, values.data(), n * sizeof(float), cudaMemcpyHostToDevice)) return 1;
  int within = 0;
  std::set<unsigned> of_tree;
  for (int run = 0; run < 10; ++run) {
    if (cudaMemset(d_sum, 0, sizeof(float))) return 1;
    atomic_sum<<<blocks, threads>>>(d_values, d_sum);
    if (cudaGetLastError() || cudaMemcpy(&got, d_sum, sizeof got, cudaMemcpyDeviceToHost)) return 1;
    within += std::fabs(got - want) <= tolerance;
    tree_sum<<<1, threads>>>(d_values, d_sum);
    if (cudaGetLastError() || cudaMemcpy(&got, d_sum, sizeof got, cudaMemcpyDeviceToHost)) return 1;
    unsigned bits = 0;
    std::memcpy(&bits, &got, sizeof bits);
    of_tree.insert(bits);
    if (!(std::fabs(got - want) <= tolerance)) return 1;
  }
  cudaFree(d_values);
  cudaFree(d_sum);
  std::printf("%d atomic sums within the tolerance, %zu sum of the tree\n", within, of_tree.size());
  return within == 10 && of_tree.size() == 1 ? 0 : 1;
}
