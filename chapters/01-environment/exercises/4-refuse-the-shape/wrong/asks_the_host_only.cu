// Wrong: only the pass that has the right size is asked.
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
#ifndef __CUDA_ARCH__
static_assert(sizeof(sample) == 8, "sample has another size in this pass");
#endif
// [/answer]
// [/struct]

__global__ void read_kernel(const sample* samples, int* value) {
  *value = samples[1].value;
}

int main() {
  return 0;
}
