// Wrong: the host reads through an address of the device. The host has nothing there: the process is killed.
// (A shell reports a process ended by signal 11, the segmentation fault, as exit code 139.)
// expect: cpu exit 86 /device pointer on the host: .*device_pointer_on_host\.cu:18/
// expect: gpu exit 139
#include "../check.hpp"

__global__ void answer(int* out) {
  *out = 42;
}

int main() {
  // [broken]
  int* d_out = nullptr;
  CHECK(cudaMalloc(&d_out, sizeof(int)));
  answer<<<1, 1>>>(d_out);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  std::printf("out = %d\n", *d_out);  // a copy to the host was meant
  // [/broken]
  return 0;
}
