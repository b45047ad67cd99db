// Addition, step 6: several float4 a thread, all asked for first, in as many blocks at once as we allow.
// Reads 8 bytes an element and writes 4. Any nx and ny; addresses that are no multiples of 16 take step 4.
#include "coalesce/index.hpp"
#include "coalesce/launch.hpp"
#include "matrix_add.hpp"
#include "resident.hpp"
#include "wide.hpp"

namespace chapter04 {
namespace {

constexpr int threads = 256;

// [kernel]
template <int count>
__global__ void add_several_float4_kernel(const float* a, const float* b, std::int64_t n,
                                          float* c) {
  const std::int64_t first = 4 * coalesce::widened_index(blockIdx.x, threads * count, threadIdx.x);
  float4 x[count], y[count];

#pragma unroll
  for (int k = 0; k < count; ++k) {
    const std::int64_t i = first + 4 * k * threads;
    if (i + 4 > n) continue;
    x[k] = *reinterpret_cast<const float4*>(a + i);
    y[k] = *reinterpret_cast<const float4*>(b + i);
  }

#pragma unroll
  for (int k = 0; k < count; ++k) {
    const std::int64_t i = first + 4 * k * threads;
    if (i + 4 <= n)
      *reinterpret_cast<float4*>(c + i) = sum_of(x[k], y[k]);
    else
      for (std::int64_t rest = i; rest < n; ++rest) c[rest] = a[rest] + b[rest];
  }
}
// [/kernel]

}  // namespace

void several_float4_a_thread(const float* d_a, const float* d_b, std::int64_t nx, std::int64_t ny,
                             float* d_c, int vectors, int blocks, cudaStream_t stream) {
  if (!aligned_for_float4(d_a, d_b, d_c)) return several_a_thread(d_a, d_b, nx, ny, d_c, 4, stream);
  const auto kernel = vectors == 2   ? add_several_float4_kernel<2>
                      : vectors == 4 ? add_several_float4_kernel<4>
                                     : add_several_float4_kernel<8>;
  const std::int64_t n = nx * ny;
  coalesce::launch(kernel,
                   {.grid = coalesce::grid_for(n, 4 * threads * vectors),
                    .block = threads,
                    .dynamic_shared = ballast_for(blocks),
                    .stream = stream},
                   d_a, d_b, n, d_c);
}

}  // namespace chapter04
