// Wrong: the host calls a function that exists on the device only. `__host__ __device__` makes both.
// expect: nvcc compile-error /calling a __device__ function\("square\(int\)"\) from a __host__ function/
// expect: cpu compile-error /call to __device__ function from __host__ function/
#include "../check.hpp"

// [broken]
__device__ int square(int x) {
  return x * x;
}

int main() {
  std::printf("%d\n", square(3));
}
// [/broken]
