// Wrong: more memory than any device has. The call fails cleanly; the process may go on with less.
// expect: cpu exit 1 /cudaMalloc.*cudaErrorMemoryAllocation \(out of memory\)/
// expect: gpu exit 1 /cudaMalloc.*cudaErrorMemoryAllocation \(out of memory\)/
#include "../check.hpp"

int main() {
  // [broken]
  const std::size_t n = std::size_t{1} << 48;
  int* d_values = nullptr;
  CHECK(cudaMalloc(&d_values, n * sizeof(int)));  // 1 PiB
  // [/broken]
  std::printf("no error?\n");
  return 0;
}
