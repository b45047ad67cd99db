// Wrong: the kernel gets the address of an ordinary array of the host. The compiler cannot see the mistake,
// because both kinds of address have the same type. A few systems allow it: there the device may
// read pageable memory (attribute cudaDevAttrPageableMemoryAccess), and the program ends with 0.
// expect: cpu exit 86 /illegal load.*host_pointer_in_kernel\.cu:\d+.*cudaErrorIllegalAddress/
// expect: gpu exit 1 /pageable memory: 0.*cudaErrorIllegalAddress/
// expect: gpu exit 0 /pageable memory: 1.*sum = 285/
#include "../check.hpp"

__global__ void sum_of_squares(const int* values, int n, int* sum) {
  int partial = 0;
  for (int i = 0; i < n; ++i) partial += values[i] * values[i];
  *sum = partial;
}

int main() {
  // [broken]
  int* values = new int[10]{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};  // on the host
  int *d_sum = nullptr, sum = -1, pageable = 0;
  CHECK(cudaDeviceGetAttribute(&pageable, cudaDevAttrPageableMemoryAccess, 0));
  std::printf("device may use pageable memory: %d\n", pageable);
  CHECK(cudaMalloc(&d_sum, sizeof(int)));
  sum_of_squares<<<1, 1>>>(values, 10, d_sum);  // d_values was meant
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost));
  std::printf("sum = %d\n", sum);
  // [/broken]
  return sum == 285 ? 0 : 1;
}
