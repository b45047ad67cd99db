// Wrong: The version copies everything to the host and computes there.
// in place of: product_rows.cu
// reject on the CPU device: rows computed_on_host
#include <vector>

#include "coalesce/launch.hpp"
#include "lab.hpp"

namespace lab52 {

// [kernel]
__global__ void rows_kernel(const float* a, const float* b, float* c, shape s) {
  // [answer]
  const std::int64_t row = blockIdx.x;
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
  static_cast<void>(threads);
  if (s.m * s.p == 0) return;
  COALESCE_CHECK(cudaStreamSynchronize(stream));
  std::vector<float> a((s.m - 1) * s.lda + s.n), b(s.n ? (s.n - 1) * s.ldb + s.p : 0),
      c((s.m - 1) * s.ldc + s.p);
  COALESCE_CHECK(cudaMemcpy(a.data(), d_a, a.size() * 4, cudaMemcpyDeviceToHost));
  COALESCE_CHECK(cudaMemcpy(b.data(), d_b, b.size() * 4, cudaMemcpyDeviceToHost));
  COALESCE_CHECK(cudaMemcpy(c.data(), d_c, c.size() * 4, cudaMemcpyDeviceToHost));
  std::vector<double> product(c.begin(), c.end());
  matmult(a.data(), b.data(), product.data(), s);
  c.assign(product.begin(), product.end());
  COALESCE_CHECK(cudaMemcpy(d_c, c.data(), c.size() * 4, cudaMemcpyHostToDevice));
  // [/answer]
}
// [/launch]

}  // namespace lab52
