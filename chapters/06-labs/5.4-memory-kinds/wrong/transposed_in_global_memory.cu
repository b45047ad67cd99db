// Wrong: the matrix is turned on the way to global memory.
// in place of: transpose.cu
// reject on the CPU device: shared uncoalesced_stores
#include "coalesce/launch.hpp"
#include "lab.hpp"

namespace lab54 {
namespace {

// [kernel]
constexpr int side = 32;  // of a tile: a warp's width
constexpr int turns = 4;  // rows of a tile that a thread copies

__global__ void transpose_kernel(const float* in, int rows, int cols, float* out) {
  // [answer]
  __shared__ float tile[side][side + 1];  // one more: a column then touches all banks
  const int first_row = blockIdx.y * side, first_col = blockIdx.x * side;

  for (int r = threadIdx.y; r < side; r += side / turns) {
    const int row = first_row + r, col = first_col + threadIdx.x;
    if (row < rows && col < cols) tile[r][threadIdx.x] = in[std::int64_t{row} * cols + col];
  }
  __syncthreads();
  for (int c = threadIdx.y; c < side; c += side / turns) {
    const int row = first_row + c, col = first_col + threadIdx.x;
    if (row < rows && col < cols) out[std::int64_t{col} * rows + row] = tile[c][threadIdx.x];
  }
  // [/answer]
}
// [/kernel]

}  // namespace

void transpose(const float* d_in, int rows, int cols, float* d_out, cudaStream_t stream) {
  // [answer]
  coalesce::launch(
      transpose_kernel,
      {coalesce::grid_for(cols, rows, dim3(side, side)), dim3(side, side / turns), 0, stream}, d_in,
      rows, cols, d_out);
  // [/answer]
}

}  // namespace lab54
