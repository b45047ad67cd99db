// Two-dimensional index: x runs along the columns, y along the rows, and both are guarded.
#include "exercise.hpp"

// [kernel]
__global__ void fill_matrix_kernel(int rows, int cols, int* out) {
  // [answer]
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && col < cols) out[row * cols + col] = 1000 * row + col;
  // [/answer]
}
// [/kernel]

void fill_matrix(int rows, int cols, int* d_out, cudaStream_t stream) {
  // [launch]
  const dim3 block(32, 8);
  const dim3 grid((cols + 31) / 32, (rows + 7) / 8);
  // [/launch]
  if (rows > 0 && cols > 0) fill_matrix_kernel<<<grid, block, 0, stream>>>(rows, cols, d_out);
}
