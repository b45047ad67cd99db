// Wrong: A double is passed off as Kahan.
// in place of: product_kahan.cu
// reject: kahan not_kahan
#include "coalesce/launch.hpp"
#include "lab.hpp"

namespace lab52 {

// [kernel]
__global__ void kahan_kernel(const float* a, const float* b, float* c, shape s) {
  // [answer]
  const std::int64_t row = blockIdx.x;
  for (std::int64_t col = threadIdx.x; col < s.p; col += blockDim.x) {
    double sum = 0;
    for (std::int64_t k = 0; k < s.n; ++k) sum += double{a[row * s.lda + k]} * b[k * s.ldb + col];
    c[row * s.ldc + col] = static_cast<float>(sum);
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
