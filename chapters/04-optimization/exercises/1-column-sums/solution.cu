// Neighbouring threads take neighbouring columns: what a warp loads at a time lies side by side.
#include "coalesce/launch.hpp"
#include "exercise.hpp"

// [kernel]
__global__ void column_sums_kernel(const int* matrix, std::int64_t rows, std::int64_t cols,
                                   std::int64_t* sums) {
  // [answer]
  for (std::int64_t col = threadIdx.x; col < cols; col += blockDim.x) {
    std::int64_t sum = 0;
    for (std::int64_t row = 0; row < rows; ++row) sum += matrix[row * cols + col];
    sums[col] = sum;
  }
  // [/answer]
}
// [/kernel]

void column_sums(const int* d_matrix, std::int64_t rows, std::int64_t cols, std::int64_t* d_sums,
                 cudaStream_t stream) {
  coalesce::launch(column_sums_kernel, {.grid = 1, .block = 256, .stream = stream}, d_matrix, rows,
                   cols, d_sums);
}
