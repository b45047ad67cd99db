// Wrong: four shapes that no device takes. None of these launches runs, and each leaves an error to ask for.
// expect: cpu exit 1 /no blocks: cudaError.*1025 threads: cudaError.*z of 65: cudaError.*y of 65536: cudaError/
// expect: gpu exit 1 /no blocks: cudaError.*1025 threads: cudaError.*z of 65: cudaError.*y of 65536: cudaError/
#include "../check.hpp"

__global__ void nothing() {}

int main() {
  // [broken]
  nothing<<<0, 1>>>();
  std::printf("a grid of no blocks: %s\n", cudaGetErrorName(cudaGetLastError()));
  nothing<<<1, 1025>>>();
  std::printf("a block of 1025 threads: %s\n", cudaGetErrorName(cudaGetLastError()));
  nothing<<<1, dim3(1, 1, 65)>>>();
  std::printf("a block with z of 65: %s\n", cudaGetErrorName(cudaGetLastError()));
  nothing<<<dim3(1, 65536), 1>>>();
  std::printf("a grid with y of 65536: %s\n", cudaGetErrorName(cudaGetLastError()));
  // [/broken]
  return 1;
}
