// Wrong: the host's clock stops before the kernel does. The "time" is that of the launch.
// (The CPU device runs a kernel inside its launch, so it cannot show this mistake, and it is never timed.)
// expect: cpu exit 0 /nothing to time/
// expect: gpu exit 1 /the first reading is far too short/
#include <chrono>

#include "../check.hpp"

__global__ void count(int n, volatile int* out) {
  for (int i = 0; i < n; ++i) *out = i;
}

int main() {
  int* d_out = nullptr;
  CHECK(cudaMalloc(&d_out, sizeof(int)));
  count<<<1, 1>>>(1, d_out);  // warm-up
  CHECK(cudaDeviceSynchronize());
#ifdef __CPU_DEVICE__
  std::printf("nothing to time on the CPU device\n");
  CHECK(cudaFree(d_out));
  return 0;
#endif
  // [broken]
  using clock = std::chrono::steady_clock;
  const auto start = clock::now();
  count<<<1, 1>>>(1 << 22, d_out);
  const auto wrong = clock::now() - start;  // cudaDeviceSynchronize() belongs before this line
  CHECK(cudaDeviceSynchronize());
  const auto right = clock::now() - start;
  // [/broken]
  const bool fooled = wrong * 10 < right;
  std::printf("%s\n", fooled ? "the first reading is far too short" : "both readings agree");
  return fooled ? 1 : 0;
}
