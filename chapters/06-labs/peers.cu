// The rival of lab 5.2's products: cuBLAS in float32, without TF32. A toolkit from Python's packages has no
// cuBLAS; then the labs have no rival.
#include "peers.hpp"

#if __has_include(<cublas_v2.h>)
#include <cublas_v2.h>

#include "5.2-matmul/rows.hpp"

namespace chapter06 {
namespace {

void check(cublasStatus_t status, const char* what) {
  if (status != CUBLAS_STATUS_SUCCESS)
    throw std::runtime_error(std::string(what) + " failed: " + cublasGetStatusString(status));
}

cublasHandle_t handle() {
  static const cublasHandle_t made = [] {
    cublasHandle_t h = nullptr;
    check(cublasCreate(&h), "cublasCreate");
    check(cublasSetMathMode(h, CUBLAS_DEFAULT_MATH), "cublasSetMathMode");
    return h;
  }();
  return made;
}

/// cuBLAS counts by columns. Read that way our arrays hold transposes, and C' = B' A'.
void product_cublas(const float* d_a, const float* d_b, float* d_c, const lab52::shape& s, int,
                    cudaStream_t stream) {
  if (s.m == 0 || s.p == 0) return;
  const float one = 1, zero = 0;
  const auto as_int = [](std::int64_t x) { return static_cast<int>(x); };
  check(cublasSetStream(handle(), stream), "cublasSetStream");
  check(cublasSgemm(handle(), CUBLAS_OP_N, CUBLAS_OP_N, as_int(s.p), as_int(s.m), as_int(s.n), &one,
                    d_b, as_int(s.ldb), d_a, as_int(s.lda), &zero, d_c, as_int(s.ldc)),
        "cublasSgemm");
}

}  // namespace

void add_peers(coalesce::chapter& chapter) {
  for (const lab52::place where : {lab52::place::packed, lab52::place::host}) {
    coalesce::step s = lab52::product_row("cublas", product_cublas, 0, where,
                                          "cublasSgemm, float32 without shortcuts");
    s.rival = true;
    chapter.steps.push_back(s);
  }
}

}  // namespace chapter06

#else

void chapter06::add_peers(coalesce::chapter&) {}

#endif
