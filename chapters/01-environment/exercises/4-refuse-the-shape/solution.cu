// The compiler is asked, in both passes, whether the struct still has the size that was agreed on.
// expect: nvcc compile-error /static assertion failed/
// expect: cpu compile-error /static assertion failed/
#include <cuda_runtime.h>

// [struct]
struct sample {
  int id;
#ifdef __CUDA_ARCH__
  int lane;  // only while device code is compiled
#endif
  int value;
};
// [answer]
static_assert(sizeof(sample) == 8, "sample has another size in this pass");
// [/answer]
// [/struct]

__global__ void read_kernel(const sample* samples, int* value) {
  *value = samples[1].value;
}

int main() {
  return 0;
}
