// Wrong: threadIdx alone, so that every block writes to the first 256 elements.
#include "coalesce/launch.hpp"
#include "exercise.hpp"

// [kernel]
__global__ void number_kernel(int n, int* out) {
  // [answer]
  const int i = threadIdx.x;
  if (i < n) out[i] = i;
  // [/answer]
}
// [/kernel]

void number_the_elements(int n, int* d_out, cudaStream_t stream) {
  // [launch]
  const unsigned blocks = coalesce::ceil_div(n, 256);
  // [/launch]
  coalesce::launch(number_kernel, {.grid = blocks, .block = 256, .stream = stream}, n, d_out);
}
