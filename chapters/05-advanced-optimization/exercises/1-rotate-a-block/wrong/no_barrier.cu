// Wrong: nobody waits, so an element may be taken up before it was put down.
#include "coalesce/launch.hpp"
#include "exercise.hpp"

// [kernel]
__global__ void rotate_kernel(const int* in, std::int64_t n, int distance, int* out) {
  __shared__ int tile[256];
  const int t = threadIdx.x;
  const std::int64_t first = blockIdx.x * std::int64_t{blockDim.x};
  const int count = static_cast<int>(min(n - first, std::int64_t{blockDim.x}));

  // [answer]
  if (t < count) tile[t] = in[first + t];

  if (t < count) {
    const int from = (t - distance % count + count) % count;
    out[first + t] = tile[from];
  }
  // [/answer]
}
// [/kernel]

void rotate_blocks(const int* d_in, std::int64_t n, int distance, int* d_out, cudaStream_t stream) {
  coalesce::launch(rotate_kernel,
                   {.grid = coalesce::grid_for(n, 256), .block = 256, .stream = stream}, d_in, n,
                   distance, d_out);
}
