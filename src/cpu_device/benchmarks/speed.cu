// Two kernels of a kind that courses run again and again: a tree reduction of 2^20 ints (256
// threads a block) and a tiled product of 256 x 256 floats (16 x 16 tiles). Prints the shortest of
// a few launches, in milliseconds.
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

constexpr int kThreads = 256, kTile = 16;

__global__ void reduce(const int* values, int n, int* sums) {
  __shared__ int tile[kThreads];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kThreads + t;
  tile[t] = i < n ? values[i] : 0;
  __syncthreads();
  for (int k = kThreads / 2; k > 0; k /= 2) {
    if (t < k) tile[t] += tile[t + k];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = tile[0];
}

__global__ void multiply(const float* a, const float* b, float* c, int n) {
  __shared__ float left[kTile][kTile], right[kTile][kTile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * kTile + y, col = blockIdx.x * kTile + x;
  float sum = 0;
  for (int start = 0; start < n; start += kTile) {
    left[y][x] = a[row * n + start + x];
    right[y][x] = b[(start + y) * n + col];
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += left[y][k] * right[k][x];
    __syncthreads();
  }
  c[row * n + col] = sum;
}

template <class Launch>
static double shortest(int launches, Launch launch) {
  double best = 1e30;
  for (int i = 0; i < launches; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    launch();
    if (cudaDeviceSynchronize() != cudaSuccess) std::exit(1);
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;
    best = std::min(best, time.count());
  }
  return best;
}

int main() {
  const int n = 1 << 20, blocks = n / kThreads, side = 256;
  int *values, *sums;
  float *a, *b, *c;
  cudaMallocManaged(&values, n * sizeof *values);
  cudaMallocManaged(&sums, blocks * sizeof *sums);
  cudaMallocManaged(&a, side * side * sizeof *a);
  cudaMallocManaged(&b, side * side * sizeof *b);
  cudaMallocManaged(&c, side * side * sizeof *c);
  for (int i = 0; i < n; ++i) values[i] = i % 10;
  for (int i = 0; i < side * side; ++i) a[i] = b[i] = static_cast<float>(i % 3);
  std::printf("reduce %.1f\n", shortest(7, [&] { reduce<<<blocks, kThreads>>>(values, n, sums); }));
  const dim3 tiles(side / kTile, side / kTile), tile(kTile, kTile);
  std::printf("multiply %.1f\n", shortest(7, [&] { multiply<<<tiles, tile>>>(a, b, c, side); }));
  long long sum = 0;
  for (int i = 0; i < blocks; ++i) sum += sums[i];
  return sum != 4718580;
}
