// Wrong: a block of 2048 threads, over the limit of 1024, and nobody asks whether the launch was accepted.
// The kernel never runs. Which error waits to be asked for depends on the version: only "not success" counts.
// expect: cpu exit 1 /element 0 is -1.*cudaErrorInvalid(Value|Configuration)/
// expect: gpu exit 1 /element 0 is -1.*cudaErrorInvalid(Value|Configuration)/
#include "../check.hpp"

__global__ void fill(int* out) {
  out[threadIdx.x] = 7;
}

int main() {
  // [broken]
  const int n = 2048;
  static int out[n];
  int* d_out = nullptr;
  CHECK(cudaMalloc(&d_out, sizeof out));
  CHECK(cudaMemset(d_out, 0xFF, sizeof out));  // every int is -1 now

  fill<<<1, n>>>(d_out);  // and no CHECK(cudaGetLastError()) behind it

  CHECK(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost));
  std::printf("element 0 is %d, expected 7;", out[0]);
  std::printf(" cudaGetLastError(), asked too late: %s\n", cudaGetErrorName(cudaGetLastError()));
  // [/broken]
  return out[0] == 7 ? 0 : 1;
}
