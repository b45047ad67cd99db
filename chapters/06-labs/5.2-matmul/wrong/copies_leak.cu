// Wrong: What is allocated is never freed.
// in place of: matmult_cuda.cu
// reject on the CPU device: matmult_cuda leak
#include "coalesce/device_buffer.hpp"
#include "coalesce/error.hpp"
#include "lab.hpp"

namespace lab52 {

// [matmult_cuda]
void matmult_cuda(const float* a, const float* b, float* c, const shape& s,
                  product_on_device* multiply, int threads) {
  // [answer]
  const std::size_t n_bytes = s.n * sizeof(float), p_bytes = s.p * sizeof(float);
  float *d_a = nullptr, *d_b = nullptr, *d_c = nullptr;
  cudaMalloc(&d_a, s.m * n_bytes);
  cudaMalloc(&d_b, s.n * p_bytes);
  cudaMalloc(&d_c, s.m * p_bytes);
  cudaMemcpy2D(d_a, n_bytes, a, s.lda * sizeof(float), n_bytes, s.m, cudaMemcpyHostToDevice);
  cudaMemcpy2D(d_b, p_bytes, b, s.ldb * sizeof(float), p_bytes, s.n, cudaMemcpyHostToDevice);

  const shape packed{.m = s.m, .n = s.n, .p = s.p, .lda = s.n, .ldb = s.p, .ldc = s.p};
  multiply(d_a, d_b, d_c, packed, threads, nullptr);

  cudaMemcpy2D(c, s.ldc * sizeof(float), d_c, p_bytes, p_bytes, s.m, cudaMemcpyDeviceToHost);
  // [/answer]
}
// [/matmult_cuda]

}  // namespace lab52
