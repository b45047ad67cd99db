// Wrong: the array is given back before its contents are fetched.
// expect: cpu exit 86 /cudaMemcpy.*cudaErrorInvalidValue/
// expect: gpu exit 1 /cudaMemcpy.*cudaErrorInvalidValue/
#include "../check.hpp"

__global__ void answer(int* out) {
  *out = 42;
}

int main() {
  // [broken]
  int *d_out = nullptr, out = -1;
  CHECK(cudaMalloc(&d_out, sizeof(int)));
  answer<<<1, 1>>>(d_out);
  CHECK(cudaGetLastError());
  CHECK(cudaFree(d_out));
  CHECK(
      cudaMemcpy(&out, d_out, sizeof out, cudaMemcpyDeviceToHost));  // d_out means nothing any more
  // [/broken]
  std::printf("out = %d: this device did not notice\n", out);
  return 1;
}
