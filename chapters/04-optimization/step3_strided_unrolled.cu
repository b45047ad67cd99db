// Step 3, strided, unrolled: the loop of step 2, but its number of turns is known before it begins, and
// `unroll` of them are written in a row: so many loads may be in flight. Reads 4 bytes an element,
// writes 8 bytes a thread. Any n from 0 on.
#include <stdexcept>

#include "coalesce/launch.hpp"
#include "steps.hpp"

namespace chapter04 {
namespace {

// [kernel]
template <int unroll>
__global__ void strided_unrolled_kernel(const int* values, std::int64_t n, std::int64_t* partials) {
  const std::int64_t turns = (n - threadIdx.x + blockDim.x - 1) / blockDim.x;  // 0 beyond the end

  std::int64_t partial = 0;
#pragma unroll unroll
  for (std::int64_t turn = 0; turn < turns; ++turn) {
    const std::int64_t value = values[turn * blockDim.x + threadIdx.x];
    partial += value * value;
  }

  partials[threadIdx.x] = partial;
}
// [/kernel]

auto* kernel_of(int unroll) {
  switch (unroll) {
    case 1:
      return strided_unrolled_kernel<1>;
    case 2:
      return strided_unrolled_kernel<2>;
    case 4:
      return strided_unrolled_kernel<4>;
    case 8:
      return strided_unrolled_kernel<8>;
    case 16:
      return strided_unrolled_kernel<16>;
  }
  throw std::invalid_argument("strided_unrolled: unroll is 1, 2, 4, 8 or 16");
}

}  // namespace

// [launch]
void strided_unrolled(const int* d_values, std::int64_t n, std::int64_t* d_partials, int threads,
                      int unroll, cudaStream_t stream) {
  coalesce::launch(kernel_of(unroll),
                   {.grid = 1, .block = static_cast<unsigned>(threads), .stream = stream}, d_values,
                   n, d_partials);
}
// [/launch]

}  // namespace chapter04
