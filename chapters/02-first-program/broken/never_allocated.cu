// Wrong: the kernel writes through a pointer that nobody allocated. The machine does not stop: the program
// gets an error, and ends in its own time.
// expect: cpu exit 86 /after the kernel: cudaErrorIllegalAddress\n.*still here/
// expect: gpu exit 1 /after the kernel: cudaErrorIllegalAddress\n.*still here/
#include <cstdio>

__global__ void set_kernel(int* value) {
  *value = 7;
}

int main() {
  // [broken]
  int* d_value = nullptr;  // cudaMalloc(&d_value, sizeof(int)); was meant
  set_kernel<<<1, 1>>>(d_value);
  // [/broken]
  const cudaError_t code = cudaDeviceSynchronize();
  std::printf("after the kernel: %s\n", cudaGetErrorName(code));
  std::printf("the program is still here to say so\n");
  return code == cudaSuccess ? 0 : 1;
}
