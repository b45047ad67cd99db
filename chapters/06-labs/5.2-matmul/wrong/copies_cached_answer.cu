// Wrong: A second product of the same shape gets the answer of the first.
// in place of: matmult_cuda.cu
// reject: matmult_cuda cached_answer
#include <vector>

#include "coalesce/device_buffer.hpp"
#include "coalesce/error.hpp"
#include "lab.hpp"

namespace lab52 {

// [matmult_cuda]
void matmult_cuda(const float* a, const float* b, float* c, const shape& s,
                  product_on_device* multiply, int threads) {
  // [answer]
  coalesce::device_buffer<float> d_a(s.m * s.n), d_b(s.n * s.p), d_c(s.m * s.p);
  const std::size_t n_bytes = s.n * sizeof(float), p_bytes = s.p * sizeof(float);
  if (d_a.size() > 0)
    COALESCE_CHECK(cudaMemcpy2D(d_a.data(), n_bytes, a, s.lda * sizeof(float), n_bytes, s.m,
                                cudaMemcpyHostToDevice));
  if (d_b.size() > 0)
    COALESCE_CHECK(cudaMemcpy2D(d_b.data(), p_bytes, b, s.ldb * sizeof(float), p_bytes, s.n,
                                cudaMemcpyHostToDevice));

  const shape packed{.m = s.m, .n = s.n, .p = s.p, .lda = s.n, .ldb = s.p, .ldc = s.p};
  static std::vector<float> cache;
  if (static_cast<std::int64_t>(cache.size()) != d_c.size()) {
    multiply(d_a.data(), d_b.data(), d_c.data(), packed, threads, nullptr);
    cache = coalesce::to_host(d_c);
  }
  d_c.copy_from_host(cache);

  if (d_c.size() > 0)
    COALESCE_CHECK(cudaMemcpy2D(c, s.ldc * sizeof(float), d_c.data(), p_bytes, p_bytes, s.m,
                                cudaMemcpyDeviceToHost));
  // [/answer]
}
// [/matmult_cuda]

}  // namespace lab52
