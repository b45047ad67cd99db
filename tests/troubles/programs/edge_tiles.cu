// Right: every thread loads, 0 outside the matrix, and passes both barriers; only the store is guarded. Sizes
// below, at and above the tile, and a wide and a tall matrix.
// expect: cpu exit 0 /\A7 shapes: 0 elements wrong\s*\Z/
// expect: gpu exit 0 /\A7 shapes: 0 elements wrong\s*\Z/
// expect: synccheck exit 0
// expect: sanitizer exit 0
// expect: nogpu exit 77 /\ASKIP: no GPU/
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int side = 16;

/// c (rows x cols) = a (rows x inner) times b (inner x cols).
__global__ void product(const int* a, const int* b, int rows, int inner, int cols, int* c) {
  __shared__ int of_a[side][side], of_b[side][side];
  const int row = blockIdx.y * side + threadIdx.y, col = blockIdx.x * side + threadIdx.x;
  int sum = 0;
  for (int first = 0; first < inner; first += side) {
    const int a_col = first + threadIdx.x, b_row = first + threadIdx.y;
    of_a[threadIdx.y][threadIdx.x] = row < rows && a_col < inner ? a[row * inner + a_col] : 0;
    of_b[threadIdx.y][threadIdx.x] = b_row < inner && col < cols ? b[b_row * cols + col] : 0;
    __syncthreads();
    for (int k = 0; k < side; ++k) sum += of_a[threadIdx.y][k] * of_b[k][threadIdx.x];
    __syncthreads();
  }
  if (row < rows && col < cols) c[row * cols + col] = sum;
}

std::vector<int> numbers(int count, int factor) {
  std::vector<int> values(count);
  for (int i = 0; i < count; ++i) values[i] = factor * i % 17 - 8;
  return values;
}

int wrong_elements(int rows, int inner, int cols) {
  const std::vector<int> a = numbers(rows * inner, 7), b = numbers(inner * cols, 5);
  std::vector<int> c(rows * cols, -1);
  int *d_a = nullptr, *d_b = nullptr, *d_c = nullptr, wrong = 0;
  bool good = cudaMalloc(&d_a, a.size() * sizeof(int)) == cudaSuccess;
  good = good && cudaMalloc(&d_b, b.size() * sizeof(int)) == cudaSuccess;
  good = good && cudaMalloc(&d_c, c.size() * sizeof(int)) == cudaSuccess;
  good = good && !cudaMemcpy(d_a, a.data(), a.size() * sizeof(int), cudaMemcpyHostToDevice);
  good = good && !cudaMemcpy(d_b, b.data(), b.size() * sizeof(int), cudaMemcpyHostToDevice);
  const dim3 grid((cols + side - 1) / side, (rows + side - 1) / side);
  product<<<grid, dim3(side, side)>>>(d_a, d_b, rows, inner, cols, d_c);
  good = good && cudaGetLastError() == cudaSuccess;
  good = good && !cudaMemcpy(c.data(), d_c, c.size() * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_c);
  for (int row = 0; row < rows; ++row)
    for (int col = 0; col < cols; ++col) {
      int want = 0;
      for (int k = 0; k < inner; ++k) want += a[row * inner + k] * b[k * cols + col];
      wrong += !good || c[row * cols + col] != want;
    }
  return wrong;
}

int main() {
  int gpus = 0, wrong = 0;
  if (cudaGetDeviceCount(&gpus) != cudaSuccess || gpus == 0) {
    std::puts("SKIP: no GPU");
    return 77;
  }
  for (const int n : {1, 15, 16, 17, 33}) wrong += wrong_elements(n, n, n);
  wrong += wrong_elements(101, 37, 13) + wrong_elements(13, 37, 101);
  std::printf("7 shapes: %d elements wrong\n", wrong);
  return wrong == 0 ? 0 : 1;
}
