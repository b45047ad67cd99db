// A polynomial whose degree the compiler knows, and so where each entry of the table lies. From constant
// memory it loads entries into uniform registers, which a warp has once, two with an instruction.
#include "coalesce/launch.hpp"
#include "known_degree.hpp"

namespace lab54::known {
namespace {

// [kernels]
__constant__ float coefficients[degree + 1];

__device__ float polynomial_of(const float* table, float x) {
  float y = table[degree];
#pragma unroll
  for (int k = degree - 1; k >= 0; --k) y = y * x + table[k];
  return y;
}

__global__ void constant_kernel(const float* xs, std::int64_t n, float* ys) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) ys[i] = polynomial_of(coefficients, xs[i]);
}

__global__ void global_kernel(const float* table, const float* xs, std::int64_t n, float* ys) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) ys[i] = polynomial_of(table, xs[i]);
}
// [/kernels]

constexpr int block = 256;

}  // namespace

void set_coefficients(const float* entries) {
  COALESCE_CHECK(cudaMemcpyToSymbol(coefficients, entries, sizeof coefficients));
}

void from_constant(const float* d_x, std::int64_t n, float* d_y, cudaStream_t stream) {
  coalesce::launch(constant_kernel, {coalesce::grid_for(n, block), block, 0, stream}, d_x, n, d_y);
}

void from_global(const float* d_table, const float* d_x, std::int64_t n, float* d_y,
                 cudaStream_t stream) {
  coalesce::launch(global_kernel, {coalesce::grid_for(n, block), block, 0, stream}, d_table, d_x, n,
                   d_y);
}

}  // namespace lab54::known
