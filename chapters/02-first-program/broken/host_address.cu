// Wrong: a function pointer taken on the host is passed to a kernel. The function exists twice, and the
// host's address means nothing on the device.
// expect: gpu exit 1 /after the kernel: cudaError(?!Success)\w+/
// expect: cpu exit 0 /after the kernel: cudaSuccess/
#include <cstdio>

__host__ __device__ int twice(int value) {
  return 2 * value;
}

__global__ void apply_kernel(int (*operation)(int), int* value) {
  *value = operation(*value);
}

int main() {
  int* d_value = nullptr;
  cudaMalloc(&d_value, sizeof(int));
  cudaMemset(d_value, 0, sizeof(int));

  // [broken]
  apply_kernel<<<1, 1>>>(twice, d_value);  // here `twice` is the host's copy
  // [/broken]
  const cudaError_t code = cudaDeviceSynchronize();
  std::printf("after the kernel: %s\n", cudaGetErrorName(code));
  cudaFree(d_value);
  return code == cudaSuccess ? 0 : 1;
}
