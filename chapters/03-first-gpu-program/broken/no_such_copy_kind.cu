// Wrong: a kind that is not in the enumeration. This, and only this, is what
// cudaErrorInvalidMemcpyDirection means: it does not find a wrong direction.
// expect: cpu exit 1 /cudaErrorInvalidMemcpyDirection/
// expect: gpu exit 1 /cudaErrorInvalidMemcpyDirection/
#include "../check.hpp"

int main() {
  // [broken]
  int *d_value = nullptr, value = 1;
  CHECK(cudaMalloc(&d_value, sizeof(int)));
  CHECK(cudaMemcpy(d_value, &value, sizeof value, static_cast<cudaMemcpyKind>(7)));
  // [/broken]
  return 0;
}
