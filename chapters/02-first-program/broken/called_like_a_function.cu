// Wrong: a kernel is called like a function. A kernel is launched: it needs a grid and a block.
// expect: nvcc compile-error /a __global__ function call must be configured/
// expect: cpu compile-error /call to global function '?hello_kernel'? not configured/
#include <cstdio>

__global__ void hello_kernel() {
  printf("hello\n");
}

int main() {
  // [broken]
  hello_kernel();  // hello_kernel<<<1, 1>>>(); was meant
  // [/broken]
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
