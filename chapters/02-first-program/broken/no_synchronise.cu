// Wrong: the program ends before anybody waits for the kernel, and what the kernel printed is never fetched.
// expect: gpu exit 0 /\A\s*\Z/
// expect: cpu exit 0 /\A\s*\Z/
#include <cstdio>

// [broken]
__global__ void hello_kernel() {
  printf("hello from the device\n");
}

int main() {
  hello_kernel<<<1, 1>>>();
  return 0;  // cudaDeviceSynchronize() was meant before this
}
// [/broken]
