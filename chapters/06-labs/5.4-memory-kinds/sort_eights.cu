// Local memory, and how to do without it: indices that are known when the kernel is compiled keep an
// array in registers. Reads 32 bytes a group, writes 32.
#include "coalesce/launch.hpp"
#include "lab.hpp"

namespace lab54 {
namespace {

// [kernel]
constexpr int size = 8;

__global__ void sort_eights_kernel(float* values, std::int64_t groups) {
  // [answer]
  const std::int64_t g = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (g >= groups) return;
  float v[size];
#pragma unroll
  for (int k = 0; k < size; ++k) v[k] = values[k * groups + g];

#pragma unroll
  for (int round = 0; round < size; ++round)  // neighbours in turns, even pairs and odd pairs
#pragma unroll
    for (int k = round % 2; k + 1 < size; k += 2) {
      const float low = fminf(v[k], v[k + 1]), high = fmaxf(v[k], v[k + 1]);
      v[k] = low;
      v[k + 1] = high;
    }

#pragma unroll
  for (int k = 0; k < size; ++k) values[k * groups + g] = v[k];
  // [/answer]
}
// [/kernel]

}  // namespace

void sort_eights(float* d_values, std::int64_t groups, cudaStream_t stream) {
  // [answer]
  const int block = 256;
  coalesce::launch(sort_eights_kernel, {coalesce::grid_for(groups, block), block, 0, stream},
                   d_values, groups);
  // [/answer]
}

// [local]
std::size_t sort_local_bytes() {
  return coalesce::facts_of(reinterpret_cast<const void*>(sort_eights_kernel)).local_bytes;
}
// [/local]

}  // namespace lab54
