// Wrong: the kernel goes to the default stream, and not to the one that was asked for.
// in place of: constant_table.cu
// reject on the CPU device: constant race
#include <stdexcept>
#include <string>

#include "coalesce/launch.hpp"
#include "lab.hpp"

namespace lab54 {
namespace {

// [kernels]
__constant__ float table[most_entries];

__global__ void polynomial_kernel(const float* xs, std::int64_t n, int degree, float* ys) {
  // [answer]
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = xs[i];
  float y = table[degree];
  for (int k = degree - 1; k >= 0; --k) y = y * x + table[k];  // k is the same in all lanes
  ys[i] = y;
  // [/answer]
}

__global__ void look_up_kernel(const int* index, std::int64_t n, float* ys) {
  // [answer]
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) ys[i] = table[index[i]];  // index[i] is another one in each lane
  // [/answer]
}
// [/kernels]

constexpr int block = 256;

}  // namespace

// [set]
void set_table(const float* entries, int count) {
  // [answer]
  if (count < 0 || count > most_entries)
    throw std::length_error("constant memory holds " + std::to_string(most_entries) +
                            " floats, not " + std::to_string(count));
  COALESCE_CHECK(
      cudaMemcpyToSymbol(table, entries, static_cast<std::size_t>(count) * sizeof(float)));
  // [/answer]
}
// [/set]

void polynomial(const float* d_x, std::int64_t n, int degree, float* d_y, cudaStream_t stream) {
  // [answer]
  coalesce::launch(polynomial_kernel, {coalesce::grid_for(n, block), block}, d_x, n, degree, d_y);
  // [/answer]
}

void look_up(const int* d_index, std::int64_t n, float* d_y, cudaStream_t stream) {
  // [answer]
  coalesce::launch(look_up_kernel, {coalesce::grid_for(n, block), block, 0, stream}, d_index, n,
                   d_y);
  // [/answer]
}

}  // namespace lab54
