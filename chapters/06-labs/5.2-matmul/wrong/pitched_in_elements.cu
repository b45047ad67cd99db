// Wrong: The pitch, which is in bytes, is handed on as a number of floats.
// in place of: matmult_pitched.cu
// reject on the CPU device: matmult_pitched wrong_copy
#include <utility>

#include "coalesce/error.hpp"
#include "lab.hpp"

namespace lab52 {

// [pitched]
/// A matrix in device memory; `pitch` is the distance from one row to the next, in bytes.
struct pitched {
  float* data = nullptr;
  std::size_t pitch = 0;
  std::size_t width, rows;  // bytes of a row, and how many there are

  pitched(std::int64_t rows, std::int64_t cols) : width(cols * sizeof(float)), rows(rows) {
    // [answer]
    if (width > 0 && rows > 0)
      COALESCE_CHECK(cudaMallocPitch(reinterpret_cast<void**>(&data), &pitch, width, rows));
    // [/answer]
  }
  pitched(const pitched&) = delete;
  ~pitched() { coalesce::report_failure(cudaFree(data), "cudaFree"); }

  std::int64_t floats_a_row() const {
    std::int64_t floats = 0;
    // [answer]
    floats = static_cast<std::int64_t>(pitch);
    // [/answer]
    return floats;
  }
  void copy_from(const float* host, std::int64_t ld) {
    // [answer]
    if (data)
      COALESCE_CHECK(
          cudaMemcpy2D(data, pitch, host, ld * sizeof(float), width, rows, cudaMemcpyHostToDevice));
    // [/answer]
  }
  void copy_to(float* host, std::int64_t ld) const {
    // [answer]
    if (data)
      COALESCE_CHECK(
          cudaMemcpy2D(host, ld * sizeof(float), data, pitch, width, rows, cudaMemcpyDeviceToHost));
    // [/answer]
  }
};
// [/pitched]

// [matmult_pitched]
void matmult_pitched(const float* a, const float* b, float* c, const shape& s,
                     product_on_device* multiply, int threads) {
  // [answer]
  pitched d_a(s.m, s.n), d_b(s.n, s.p), d_c(s.m, s.p);
  d_a.copy_from(a, s.lda);
  d_b.copy_from(b, s.ldb);
  multiply(d_a.data, d_b.data, d_c.data,
           {.m = s.m,
            .n = s.n,
            .p = s.p,
            .lda = d_a.floats_a_row(),
            .ldb = d_b.floats_a_row(),
            .ldc = d_c.floats_a_row()},
           threads, nullptr);
  d_c.copy_to(c, s.ldc);
  // [/answer]
}
// [/matmult_pitched]

}  // namespace lab52
