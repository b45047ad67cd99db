// Wrong: the difference of two equal squares is taken to be 0. The compiler makes one FMA of it, which rounds
// one of the two squares and not the other: what is left is the error of the rounding, and has a root.
// expect: gpu exit 1 /sqrt\(a \* a - b \* b\) = 0\.000/
// expect: cpu not-run: the CPU device fuses no multiplication with an addition
#include <cmath>
#include <cstdio>

#include "../../03-first-gpu-program/check.hpp"

// [broken]
__global__ void leg_kernel(float a, float b, float* leg) {
  *leg = sqrtf(a * a - b * b);
}
// [/broken]

int main() {
  float *d_leg = nullptr, leg = -1;
  CHECK(cudaMalloc(&d_leg, sizeof(float)));
  const float a = 1.3f;
  leg_kernel<<<1, 1>>>(a, a, d_leg);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(&leg, d_leg, sizeof leg, cudaMemcpyDeviceToHost));
  std::printf("sqrt(a * a - b * b) = %g\n", double{leg});
  return leg == 0 ? 0 : 1;
}
