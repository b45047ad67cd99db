// Wrong: a chain takes every (number of threads)-th element, so a larger grid has other chains.
#include "coalesce/launch.hpp"
#include "exercise.hpp"

// [kernel]
constexpr int chains = 512, threads = 64;

__global__ void chains_kernel(const float* a, const float* b, std::int64_t n, float* of_chain) {
  // [answer]
  for (int chain = blockIdx.x * threads + threadIdx.x; chain < chains;
       chain += gridDim.x * threads) {
    float sum = 0;
    const int width = gridDim.x * threads < chains ? gridDim.x * threads : chains;
    if (chain < width)
      for (std::int64_t i = chain; i < n; i += width) sum = __fmaf_rn(a[i], b[i], sum);
    of_chain[chain] = sum;
  }
  // [/answer]
}

__global__ void total_kernel(const float* of_chain, float* dot) {
  float sum = 0;
  for (int chain = 0; chain < chains; ++chain) sum = __fadd_rn(sum, of_chain[chain]);
  *dot = sum;
}
// [/kernel]

void same_bits_dot(const float* d_a, const float* d_b, std::int64_t n, float* d_dot,
                   float* d_scratch, int blocks, cudaStream_t stream) {
  coalesce::launch(chains_kernel,
                   {.grid = static_cast<unsigned>(blocks), .block = threads, .stream = stream}, d_a,
                   d_b, n, d_scratch);
  coalesce::launch(total_kernel, {.grid = 1, .block = 1, .stream = stream}, d_scratch, d_dot);
}
