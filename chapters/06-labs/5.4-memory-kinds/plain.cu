// What the lab's functions are compared with: the same answers from global memory, one element a thread.
#include "plain.hpp"

#include "coalesce/launch.hpp"

namespace lab54::plain {
namespace {

constexpr int block = 256;

__device__ std::int64_t this_element() {
  return std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
}

// [polynomial]
__global__ void polynomial_kernel(const float* table, const float* xs, std::int64_t n, int degree,
                                  float* ys) {
  const std::int64_t i = this_element();
  if (i >= n) return;
  const float x = xs[i];
  float y = table[degree];
  for (int k = degree - 1; k >= 0; --k) y = y * x + table[k];
  ys[i] = y;
}
// [/polynomial]

__global__ void look_up_kernel(const float* table, const int* index, std::int64_t n, float* ys) {
  const std::int64_t i = this_element();
  if (i < n) ys[i] = table[index[i]];
}

__global__ void fetch_kernel(const float* list, std::int64_t count, const int* index,
                             std::int64_t n, float* ys) {
  const std::int64_t i = this_element();
  if (i >= n) return;
  const int k = index[i];
  ys[i] = k >= 0 && k < count ? list[k] : 0.0f;
}

// [transpose]
__global__ void transpose_kernel(const float* in, int rows, int cols, float* out) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && col < cols)
    out[std::int64_t{col} * rows + row] = in[std::int64_t{row} * cols + col];
}
// [/transpose]

// [sort]
__global__ void sort_eights_kernel(float* values, std::int64_t groups) {
  const std::int64_t g = this_element();
  if (g >= groups) return;
  float v[8];
#pragma unroll 1
  for (int k = 0; k < 8; ++k) v[k] = values[k * groups + g];
#pragma unroll 1
  for (int round = 0; round < 8; ++round)
#pragma unroll 1
    for (int k = round % 2; k < 7; k += 2) {  // k is known only when the kernel runs
      const float low = fminf(v[k], v[k + 1]), high = fmaxf(v[k], v[k + 1]);
      v[k] = low;
      v[k + 1] = high;
    }
#pragma unroll 1
  for (int k = 0; k < 8; ++k) values[k * groups + g] = v[k];
}
// [/sort]

__global__ void scale_kernel(float* values, std::int64_t n, float factor) {
  const std::int64_t i = this_element();
  if (i < n) values[i] *= factor;
}

// a and b are arguments: of constants that it knows, the compiler makes one step of sixteen.
__global__ void mix_kernel(const word* in, word* out, std::int64_t n, int turns, word a, word b) {
  const std::int64_t i = this_element();
  if (i >= n) return;
  word x = in[i];
#pragma unroll 16
  for (int turn = 0; turn < turns; ++turn) x = a * x + b;
  out[i] = x;
}

}  // namespace

void polynomial(const float* d_table, const float* d_x, std::int64_t n, int degree, float* d_y,
                cudaStream_t stream) {
  coalesce::launch(polynomial_kernel, {coalesce::grid_for(n, block), block, 0, stream}, d_table,
                   d_x, n, degree, d_y);
}

void look_up(const float* d_table, const int* d_index, std::int64_t n, float* d_y,
             cudaStream_t stream) {
  coalesce::launch(look_up_kernel, {coalesce::grid_for(n, block), block, 0, stream}, d_table,
                   d_index, n, d_y);
}

void fetch(const float* d_list, std::int64_t count, const int* d_index, std::int64_t n, float* d_y,
           cudaStream_t stream) {
  coalesce::launch(fetch_kernel, {coalesce::grid_for(n, block), block, 0, stream}, d_list, count,
                   d_index, n, d_y);
}

void transpose(const float* d_in, int rows, int cols, float* d_out, cudaStream_t stream) {
  const dim3 tile(32, 8);
  coalesce::launch(transpose_kernel, {coalesce::grid_for(cols, rows, tile), tile, 0, stream}, d_in,
                   rows, cols, d_out);
}

void sort_eights(float* d_values, std::int64_t groups, cudaStream_t stream) {
  coalesce::launch(sort_eights_kernel, {coalesce::grid_for(groups, block), block, 0, stream},
                   d_values, groups);
}

void scale(float* d_values, std::int64_t n, float factor, cudaStream_t stream) {
  coalesce::launch(scale_kernel, {coalesce::grid_for(n, block), block, 0, stream}, d_values, n,
                   factor);
}

void mix(const word* d_in, word* d_out, std::int64_t n, int turns, cudaStream_t stream) {
  coalesce::launch(mix_kernel, {coalesce::grid_for(n, block), block, 0, stream}, d_in, d_out, n,
                   turns, mix_a, mix_b);
}

}  // namespace lab54::plain
