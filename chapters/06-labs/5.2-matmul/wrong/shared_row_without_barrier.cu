// Wrong: As in the source's fragment: nobody waits until the row is complete.
// in place of: product_shared_row.cu
// reject on the CPU device: shared_row race
#include <stdexcept>
#include <string>

#include "coalesce/error.hpp"
#include "lab.hpp"

namespace lab52 {

// [kernel]
__global__ void shared_row_kernel(const float* a, const float* b, float* c, shape s) {
  extern __shared__ float row_of_a[];
  // [answer]
  const std::int64_t row = blockIdx.x;
  for (std::int64_t k = threadIdx.x; k < s.n; k += blockDim.x) row_of_a[k] = a[row * s.lda + k];

  for (std::int64_t col = threadIdx.x; col < s.p; col += blockDim.x) {
    float sum = 0;
    for (std::int64_t k = 0; k < s.n; ++k) sum += row_of_a[k] * b[k * s.ldb + col];
    c[row * s.ldc + col] = sum;
  }
  // [/answer]
}
// [/kernel]

// [limit]
std::int64_t most_columns_of_shared_row() {
  std::int64_t most = 0;
  // [answer]
  int device = 0, bytes = 0;
  COALESCE_CHECK(cudaGetDevice(&device));
  COALESCE_CHECK(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
  most = bytes / static_cast<int>(sizeof(float));
  // [/answer]
  return most;
}
// [/limit]

// [launch]
void product_shared_row(const float* d_a, const float* d_b, float* d_c, const shape& s, int threads,
                        cudaStream_t stream) {
  // [answer]
  if (s.m == 0) return;
  const std::int64_t most = most_columns_of_shared_row();
  if (s.n > most)
    throw std::length_error("A has " + std::to_string(s.n) +
                            " columns, and a block's shared memory " + "holds a row of at most " +
                            std::to_string(most) + ": use product_tiles, which takes any number.");
  const int bytes = static_cast<int>(s.n * sizeof(float));
  COALESCE_CHECK(
      cudaFuncSetAttribute(shared_row_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  shared_row_kernel<<<static_cast<unsigned>(s.m), threads, bytes, stream>>>(d_a, d_b, d_c, s);
  COALESCE_CHECK(cudaGetLastError());
  // [/answer]
}
// [/launch]

}  // namespace lab52
