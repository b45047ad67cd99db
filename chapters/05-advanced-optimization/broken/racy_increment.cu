// Wrong: many threads add 1 to the same counter with ++, which is a load, an addition and a store. Two that
// load the same value store the same value, and one of the additions is lost.
// expect: cpu exit 86 /race: .*global memory.*racy_increment\.cu/
// expect: gpu exit 1 /counted \d+ of 65536/
#include "../../03-first-gpu-program/check.hpp"

// [broken]
__global__ void count_threads(int* counter) {
  ++*counter;
}
// [/broken]

int main() {
  int counted = 0, *d_counter = nullptr;
  CHECK(cudaMalloc(&d_counter, sizeof(int)));
  CHECK(cudaMemset(d_counter, 0, sizeof(int)));
  count_threads<<<256, 256>>>(d_counter);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(&counted, d_counter, sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(d_counter));
  std::printf("counted %d of 65536\n", counted);
  return counted == 65536 ? 0 : 1;
}
