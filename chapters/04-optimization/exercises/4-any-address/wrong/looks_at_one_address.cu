// Wrong: asks only where a begins.
#include <algorithm>

#include "coalesce/index.hpp"
#include "coalesce/launch.hpp"
#include "exercise.hpp"

__global__ void add_anywhere_kernel(const float* a, const float* b, std::int64_t n, float* c,
                                    std::int64_t head) {
  const std::int64_t thread = coalesce::global_index_x();
  const std::int64_t vectors = (n - head) / 4;
  const std::int64_t tail = head + 4 * vectors;  // the first element behind the float4

  if (thread < vectors) {
    const std::int64_t i = head + 4 * thread;
    const float4 x = *reinterpret_cast<const float4*>(a + i);
    const float4 y = *reinterpret_cast<const float4*>(b + i);
    *reinterpret_cast<float4*>(c + i) = {x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w};
  }
  for (std::int64_t i = thread; i < head; i += coalesce::grid_size_x()) c[i] = a[i] + b[i];
  for (std::int64_t i = tail + thread; i < n; i += coalesce::grid_size_x()) c[i] = a[i] + b[i];
}

/// Elements before the first address that is a multiple of 16 in all three; all n where there is none.
std::int64_t head_of(const float* a, const float* b, std::int64_t n, const float* c) {
  const auto off = [](const float* p) { return reinterpret_cast<std::uintptr_t>(p) / 4 % 4; };
  (void)b, (void)c;
  return std::min<std::int64_t>(n, (4 - off(a)) % 4);
}

void add_anywhere(const float* d_a, const float* d_b, std::int64_t n, float* d_c,
                  cudaStream_t stream) {
  const std::int64_t head = head_of(d_a, d_b, n, d_c);
  coalesce::launch(
      add_anywhere_kernel,
      {.grid = coalesce::grid_for(coalesce::ceil_div(n, 4), 256), .block = 256, .stream = stream},
      d_a, d_b, n, d_c, head);
}
