// Wrong: the kind says host to device, the pointers go the other way. The documentation leaves the result
// undefined: an error, a copy that works all the same, anything. cudaMemcpyDefault asks the pointers.
// expect: cpu exit 86 /cudaMemcpy.*cudaErrorInvalidValue|sum = -1/
// expect: gpu exit 1 /cudaMemcpy.*cudaErrorInvalidValue|sum = -1/
// expect: gpu exit 0 /sum = 285/
#include "../check.hpp"

__global__ void store(int* sum) {
  *sum = 285;
}

int main() {
  // [broken]
  int *d_sum = nullptr, sum = -1;
  CHECK(cudaMalloc(&d_sum, sizeof(int)));
  store<<<1, 1>>>(d_sum);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyHostToDevice));  // DeviceToHost was meant
  std::printf("sum = %d\n", sum);
  // [/broken]
  return sum == 285 ? 0 : 1;
}
