// Wrong: the block puts its elements into shared memory and takes them up again, but nobody waits. A thread
// takes up an element that its owner may not have put down yet.
// expect: cpu exit 86 /race: .*missing_barrier\.cu:12.*missing_barrier\.cu:14/
// expect: gpu exit 1 /\d+ of 1024 elements are wrong/
// expect: racecheck exit 86 /hazard/
#include "../../03-first-gpu-program/check.hpp"

// [broken]
__global__ void reverse(const int* in, int* out) {
  __shared__ int tile[1024];
  const int t = threadIdx.x;
  tile[t] = in[t];
  // here a barrier is missing
  out[t] = tile[1023 - t];
}
// [/broken]

int main() {
  int in[1024], out[1024], *d_in = nullptr, *d_out = nullptr;
  for (int i = 0; i < 1024; ++i) in[i] = i;
  CHECK(cudaMalloc(&d_in, sizeof in));
  CHECK(cudaMalloc(&d_out, sizeof out));
  CHECK(cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice));
  reverse<<<1, 1024>>>(d_in, d_out);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
  int wrong = 0;
  for (int i = 0; i < 1024; ++i) wrong += out[i] != 1023 - i;
  std::printf("%d of 1024 elements are wrong\n", wrong);
  return wrong > 0 ? 1 : 0;
}
