// Wrong: threads beyond the edge of the matrix leave before they have filled their place in the tile. Leaving
// is allowed, and no barrier waits for them. But the others read what they never wrote.
// expect: cpu exit 86 /uninitialised read: .*shared memory.*edge_threads_leave\.cu/
// expect: gpu exit 1 /which is wrong/
// expect: gpu exit 0 /which is right/
#include <vector>

#include "../../03-first-gpu-program/check.hpp"

// [broken]
constexpr int side = 8;

__global__ void row_sums_kernel(const int* matrix, int n, int* sums) {
  __shared__ int tile[side][side];
  const int row = blockIdx.x * side + threadIdx.y;
  int sum = 0;
  for (int first = 0; first < n; first += side) {
    const int col = first + threadIdx.x;
    if (row >= n || col >= n) return;  // the place in the tile stays as it was
    tile[threadIdx.y][threadIdx.x] = matrix[row * n + col];
    __syncthreads();
    if (threadIdx.x == 0)
      for (int k = 0; k < side; ++k) sum += tile[threadIdx.y][k];
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[row] = sum;
}
// [/broken]

int main() {
  const int n = 5;  // no multiple of the tile
  std::vector<int> ones(n * n, 1), sums(n);
  int *d_ones = nullptr, *d_sums = nullptr, wrong = 0;
  CHECK(cudaMalloc(&d_ones, n * n * sizeof(int)));
  CHECK(cudaMalloc(&d_sums, n * sizeof(int)));
  CHECK(cudaMemcpy(d_ones, ones.data(), n * n * sizeof(int), cudaMemcpyHostToDevice));
  row_sums_kernel<<<1, dim3(side, side)>>>(d_ones, n, d_sums);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(sums.data(), d_sums, n * sizeof(int), cudaMemcpyDeviceToHost));
  for (const int sum : sums) wrong += sum != n;
  CHECK(cudaFree(d_ones));
  CHECK(cudaFree(d_sums));
  std::printf("%d of %d sums differ from %d, which is %s\n", wrong, n, n,
              wrong ? "wrong" : "right");
  return wrong != 0;
}
