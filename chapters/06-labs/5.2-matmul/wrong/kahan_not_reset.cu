// Wrong: The next column begins with what the one before it has lost.
// in place of: product_kahan.cu
// reject: kahan correction_not_reset
#include "coalesce/launch.hpp"
#include "lab.hpp"

namespace lab52 {

// [kernel]
__global__ void kahan_kernel(const float* a, const float* b, float* c, shape s) {
  // [answer]
  const std::int64_t row = blockIdx.x;
  float lost = 0;
  for (std::int64_t col = threadIdx.x; col < s.p; col += blockDim.x) {
    float sum = 0;  // `sum` is too large by `lost`
    for (std::int64_t k = 0; k < s.n; ++k) {
      const float term = __fmaf_rn(a[row * s.lda + k], b[k * s.ldb + col], -lost);
      const float next = __fadd_rn(sum, term);
      lost = __fsub_rn(__fsub_rn(next, sum), term);
      sum = next;
    }
    c[row * s.ldc + col] = sum;
  }
  // [/answer]
}
// [/kernel]

// [launch]
void product_kahan(const float* d_a, const float* d_b, float* d_c, const shape& s, int threads,
                   cudaStream_t stream) {
  // [answer]
  const auto block = static_cast<unsigned>(threads);
  coalesce::launch(kahan_kernel,
                   {.grid = coalesce::grid_for(s.m, 1), .block = block, .stream = stream}, d_a, d_b,
                   d_c, s);
  // [/answer]
}
// [/launch]

}  // namespace lab52
