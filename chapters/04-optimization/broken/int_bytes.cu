// Wrong: a size in bytes in an int. 32768 x 32768 floats are 2^32 bytes, of which an int keeps none.
// expect: cpu exit 1 /bytes: 0.*for 1073741824 elements/
// expect: gpu exit 1 /bytes: 0.*for 1073741824 elements/
#include "../../03-first-gpu-program/check.hpp"

int main() {
  // [broken]
  const int nx = 32768, ny = 32768;
  const int bytes = nx * ny * sizeof(float);
  float* d_matrix = nullptr;
  CHECK(cudaMalloc(&d_matrix, bytes));  // no error: nothing was asked for, and nothing was given
  // [/broken]
  std::printf("bytes: %d, address %s, for %d elements\n", bytes, d_matrix ? "given" : "null",
              nx * ny);
  return 1;
}
