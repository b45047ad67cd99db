// Transposes through a tile whose row r keeps column c at place c ^ r: no conflicts, no padding.
#include "coalesce/launch.hpp"
#include "exercise.hpp"

// [kernel]
__global__ void transpose_kernel(const int* in, std::int64_t rows, std::int64_t cols, int* out) {
  __shared__ int tile[32 * 32];
  const int x = threadIdx.x, y = threadIdx.y;  // 32 × 32 threads
  const std::int64_t first_col = blockIdx.x * std::int64_t{32};
  const std::int64_t first_row = blockIdx.y * std::int64_t{32};

  // [answer]
  if (first_row + y < rows && first_col + x < cols)
    tile[y * 32 + (x ^ y)] = in[(first_row + y) * cols + first_col + x];  // row y, column x
  __syncthreads();

  if (first_col + y < cols && first_row + x < rows)
    out[(first_col + y) * rows + first_row + x] = tile[x * 32 + (y ^ x)];  // row x, column y
  // [/answer]
}
// [/kernel]

void transpose(const int* d_in, std::int64_t rows, std::int64_t cols, int* d_out,
               cudaStream_t stream) {
  const dim3 block(32, 32);
  coalesce::launch(
      transpose_kernel,
      {.grid = coalesce::grid_for(cols, rows, block), .block = block, .stream = stream}, d_in, rows,
      cols, d_out);
}
