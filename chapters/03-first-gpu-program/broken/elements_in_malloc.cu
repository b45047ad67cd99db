// Wrong: cudaMalloc is told a number of elements. It counts bytes, so there is room for a quarter of them,
// and the copy, whose size is right, does not fit.
// expect: cpu exit 86 /cudaMemcpy.*cudaErrorInvalidValue/
// expect: gpu exit 1 /cudaMemcpy.*cudaErrorInvalidValue/
#include "../check.hpp"

int main() {
  // [broken]
  const int n = 1 << 20;
  static int values[n];
  int* d_values = nullptr;
  CHECK(cudaMalloc(&d_values, n));  // n bytes; n * sizeof(int) was meant
  CHECK(cudaMemcpy(d_values, values, n * sizeof(int), cudaMemcpyHostToDevice));
  // [/broken]
  std::printf("no error: this device did not notice\n");
  return 1;
}
