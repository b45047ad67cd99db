// Wrong: x counts rows: right, but the threads of a warp read a column.
// in place of: product_elements.cu
// reject on the CPU device: elements uncoalesced
#include "coalesce/launch.hpp"
#include "lab.hpp"

namespace lab52 {

// [kernel]
__global__ void elements_kernel(const float* a, const float* b, float* c, shape s) {
  // [answer]
  const std::int64_t row = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::int64_t col = std::int64_t{blockIdx.y} * blockDim.y + threadIdx.y;
  if (row >= s.m || col >= s.p) return;

  float sum = 0;
  for (std::int64_t k = 0; k < s.n; ++k) sum += a[row * s.lda + k] * b[k * s.ldb + col];
  c[row * s.ldc + col] = sum;
  // [/answer]
}
// [/kernel]

// [launch]
void product_elements(const float* d_a, const float* d_b, float* d_c, const shape& s, int,
                      cudaStream_t stream) {
  // [answer]
  const dim3 block(16, 16);
  coalesce::launch(elements_kernel,
                   {.grid = coalesce::grid_for(s.m, s.p, block), .block = block, .stream = stream},
                   d_a, d_b, d_c, s);
  // [/answer]
}
// [/launch]

}  // namespace lab52
