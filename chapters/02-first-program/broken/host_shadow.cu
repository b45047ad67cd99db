// Wrong: the host writes to a device variable by its name. That changes the host's shadow of it, a variable
// nobody reads; the kernel still sees the old value.
// expect: cpu exit 1 /the kernel saw factor = 3/
// expect: gpu exit 1 /the kernel saw factor = 3/
#include <cstdio>

__device__ int factor = 3;

__global__ void read_factor_kernel(int* seen) {
  *seen = factor;
}

int main() {
  int *d_seen = nullptr, seen = 0;
  cudaMalloc(&d_seen, sizeof(int));

  // [broken]
  factor = 5;  // const int five = 5; cudaMemcpyToSymbol(factor, &five, sizeof five); was meant
  // [/broken]
  read_factor_kernel<<<1, 1>>>(d_seen);
  cudaMemcpy(&seen, d_seen, sizeof(int), cudaMemcpyDeviceToHost);

  std::printf("the kernel saw factor = %d\n", seen);
  return seen == 5 ? 0 : 1;
}
