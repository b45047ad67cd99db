// Wrong: each thread takes one column; columns beyond the 256th are never added up.
#include "coalesce/launch.hpp"
#include "exercise.hpp"

__global__ void column_sums_kernel(const int* matrix, std::int64_t rows, std::int64_t cols,
                                   std::int64_t* sums) {
  const std::int64_t col = threadIdx.x;
  if (col >= cols) return;
  std::int64_t sum = 0;
  for (std::int64_t row = 0; row < rows; ++row) sum += matrix[row * cols + col];
  sums[col] = sum;
}

void column_sums(const int* d_matrix, std::int64_t rows, std::int64_t cols, std::int64_t* d_sums,
                 cudaStream_t stream) {
  coalesce::launch(column_sums_kernel, {.grid = 1, .block = 256, .stream = stream}, d_matrix, rows,
                   cols, d_sums);
}
