// Wrong: a kernel with a result. Nobody waits for it, and there are thousands of it: it can only write.
// expect: nvcc compile-error /a __global__ function must have a void return type/
// expect: cpu compile-error /kernel function type 'int \(\)' must have void return type/
#include <cstdio>

// [broken]
__global__ int answer_kernel() {
  return 42;
}  // void, and a pointer to write to, was meant
// [/broken]

int main() {
  answer_kernel<<<1, 1>>>();
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
