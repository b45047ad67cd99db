// Wrong: The loop over rows has no stride: every block computes all of C.
// in place of: product_rows.cu
// reject on the CPU device: rows each_block_does_all
#include "coalesce/launch.hpp"
#include "lab.hpp"

namespace lab52 {

// [kernel]
__global__ void rows_kernel(const float* a, const float* b, float* c, shape s) {
  // [answer]
  for (std::int64_t row = 0; row < s.m; ++row)
    for (std::int64_t col = threadIdx.x; col < s.p; col += blockDim.x) {
      float sum = 0;
      for (std::int64_t k = 0; k < s.n; ++k) sum += a[row * s.lda + k] * b[k * s.ldb + col];
      c[row * s.ldc + col] = sum;
    }
  // [/answer]
}
// [/kernel]

// [launch]
void product_rows(const float* d_a, const float* d_b, float* d_c, const shape& s, int threads,
                  cudaStream_t stream) {
  // [answer]
  const auto block = static_cast<unsigned>(threads);
  coalesce::launch(rows_kernel,
                   {.grid = coalesce::grid_for(s.m, 1), .block = block, .stream = stream}, d_a, d_b,
                   d_c, s);
  // [/answer]
}
// [/launch]

}  // namespace lab52
