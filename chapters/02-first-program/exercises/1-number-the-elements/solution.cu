// Number the elements: index, guard, write; as many blocks as that takes.
#include "exercise.hpp"

// [kernel]
__global__ void number_kernel(int n, int* out) {
  // [answer]
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i;
  // [/answer]
}
// [/kernel]

void number_the_elements(int n, int* d_out, cudaStream_t stream) {
  // [launch]
  const int blocks = (n + 255) / 256;
  // [/launch]
  if (blocks > 0) number_kernel<<<blocks, 256, 0, stream>>>(n, d_out);
}
