// Addition, step 8: copies go from global to shared memory past the registers, and a thread waits for its own.
// Reads 8 bytes an element and writes 4. Any nx and ny; addresses that are no multiples of 16 take step 4.
#include <cuda_pipeline.h>

#include "coalesce/index.hpp"
#include "coalesce/launch.hpp"
#include "matrix_add.hpp"
#include "wide.hpp"

namespace chapter04 {
namespace {

constexpr int threads = 256;

// [kernel]
template <int count>
__global__ void add_async_kernel(const float* a, const float* b, std::int64_t n, float* c) {
  const std::int64_t first = 4 * coalesce::widened_index(blockIdx.x, threads * count, threadIdx.x);
  __shared__ float4 x[count][threads], y[count][threads];

#pragma unroll
  for (int k = 0; k < count; ++k) {
    const std::int64_t i = first + 4 * k * threads;
    if (i + 4 > n) continue;
    __pipeline_memcpy_async(&x[k][threadIdx.x], a + i, sizeof(float4));
    __pipeline_memcpy_async(&y[k][threadIdx.x], b + i, sizeof(float4));
  }
  __pipeline_commit();
  __pipeline_wait_prior(0);  // for this thread's copies; nobody reads another thread's

#pragma unroll
  for (int k = 0; k < count; ++k) {
    const std::int64_t i = first + 4 * k * threads;
    if (i + 4 <= n)
      *reinterpret_cast<float4*>(c + i) = sum_of(x[k][threadIdx.x], y[k][threadIdx.x]);
    else
      for (std::int64_t rest = i; rest < n; ++rest) c[rest] = a[rest] + b[rest];
  }
}
// [/kernel]

}  // namespace

void async_copy(const float* d_a, const float* d_b, std::int64_t nx, std::int64_t ny, float* d_c,
                int vectors, cudaStream_t stream) {
  if (!aligned_for_float4(d_a, d_b, d_c)) return several_a_thread(d_a, d_b, nx, ny, d_c, 4, stream);
  const auto kernel = vectors == 1   ? add_async_kernel<1>
                      : vectors == 2 ? add_async_kernel<2>
                                     : add_async_kernel<4>;
  const std::int64_t n = nx * ny;
  coalesce::launch(
      kernel,
      {.grid = coalesce::grid_for(n, 4 * threads * vectors), .block = threads, .stream = stream},
      d_a, d_b, n, d_c);
}

}  // namespace chapter04
