// Addition, step 7: step 5, and every load and store tells the caches what will become of its data.
// Reads 8 bytes an element and writes 4. Any nx and ny; addresses that are no multiples of 16 take step 4.
#include "coalesce/index.hpp"
#include "coalesce/launch.hpp"
#include "matrix_add.hpp"
#include "wide.hpp"

namespace chapter04 {
namespace {

// [kernel]
template <cache_hint hint>
__device__ float4 load(const float* from) {
  const auto* address = reinterpret_cast<const float4*>(from);
  if constexpr (hint == cache_hint::streaming) return __ldcs(address);
  if constexpr (hint == cache_hint::l2_only) return __ldcg(address);
  if constexpr (hint == cache_hint::no_allocate) return load_no_allocate(address);
  return *address;
}

template <cache_hint hint>
__device__ void store(float* to, float4 value) {
  auto* address = reinterpret_cast<float4*>(to);
  if constexpr (hint == cache_hint::streaming)
    __stcs(address, value);
  else if constexpr (hint == cache_hint::write_through)
    __stwt(address, value);
  else
    *address = value;
}

template <cache_hint of_loads, cache_hint of_stores>
__global__ void add_hints_kernel(const float* a, const float* b, std::int64_t n, float* c) {
  const std::int64_t i = 4 * coalesce::global_index_x();

  if (i + 4 <= n) {
    const float4 x = load<of_loads>(a + i);
    const float4 y = load<of_loads>(b + i);
    store<of_stores>(c + i, sum_of(x, y));
  } else {
    for (std::int64_t k = i; k < n; ++k) c[k] = a[k] + b[k];
  }
}
// [/kernel]

template <cache_hint of_loads>
auto kernel_for(cache_hint of_stores) {
  return of_stores == cache_hint::streaming ? add_hints_kernel<of_loads, cache_hint::streaming>
         : of_stores == cache_hint::write_through
             ? add_hints_kernel<of_loads, cache_hint::write_through>
             : add_hints_kernel<of_loads, cache_hint::plain>;
}

}  // namespace

void with_hints(const float* d_a, const float* d_b, std::int64_t nx, std::int64_t ny, float* d_c,
                cache_hint load, cache_hint store, cudaStream_t stream) {
  if (!aligned_for_float4(d_a, d_b, d_c)) return several_a_thread(d_a, d_b, nx, ny, d_c, 4, stream);
  const auto kernel = load == cache_hint::streaming     ? kernel_for<cache_hint::streaming>(store)
                      : load == cache_hint::l2_only     ? kernel_for<cache_hint::l2_only>(store)
                      : load == cache_hint::no_allocate ? kernel_for<cache_hint::no_allocate>(store)
                                                        : kernel_for<cache_hint::plain>(store);
  const std::int64_t n = nx * ny;
  coalesce::launch(
      kernel,
      {.grid = coalesce::grid_for(coalesce::ceil_div(n, 4), 256), .block = 256, .stream = stream},
      d_a, d_b, n, d_c);
}

}  // namespace chapter04
