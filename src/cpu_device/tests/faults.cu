// Kernels that go wrong, one a run; the argument chooses. The test knows the line numbers.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cassert>
#include <cstdio>
#include <cstring>

__global__ void out_of_bounds(int* p, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  p[i] = n;  // LINE out_of_bounds
}
__global__ void reads_host(const int* host, int* out) {
  out[threadIdx.x] = host[threadIdx.x];  // LINE host_pointer
}
__global__ void null_store(int* p) {
  *p = 1;  // LINE null
}
__global__ void asserts(int limit) {
  assert(static_cast<int>(threadIdx.x) < limit);  // LINE assert
}
__global__ void traps() {
  if (threadIdx.x == 3) __trap();
}
__global__ void tiles_of(unsigned int size) {
  cooperative_groups::tiled_partition(cooperative_groups::coalesced_threads(), size).sync();
}
__global__ void overflows(int* out) {
  volatile int large[200000];
  large[threadIdx.x] = 1;
  *out = large[threadIdx.x];
}
__global__ void fine(int* out) {
  *out = 1;
}

#define SAY(call) printf("%s %s\n", #call, cudaGetErrorName(call))

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  int *p, on_host[32] = {};
  cudaMalloc(&p, 1000 * sizeof(int));
  if (!strcmp(what, "out_of_bounds")) out_of_bounds<<<4, 256>>>(p, 1000);
  if (!strcmp(what, "host_pointer")) reads_host<<<1, 32>>>(on_host, p);
  if (!strcmp(what, "null")) null_store<<<1, 32>>>(nullptr);
  if (!strcmp(what, "assert")) asserts<<<1, 32>>>(5);
  if (!strcmp(what, "trap")) traps<<<1, 32>>>();
  if (!strcmp(what, "tiles of five")) tiles_of<<<1, 32>>>(5);
  if (!strcmp(what, "tiles of 64")) tiles_of<<<1, 32>>>(64);
  if (!strcmp(what, "overflow")) overflows<<<1, 32>>>(p);
  if (!strcmp(what, "freed")) {
    cudaFree(p);
    null_store<<<1, 1>>>(p);
  }
  SAY(cudaGetLastError());       // the launch itself went well
  SAY(cudaDeviceSynchronize());  // here the host hears of it
  SAY(cudaGetLastError());
  SAY(cudaGetLastError());  // asked twice in a row: nothing new; all other calls go on failing
  SAY(cudaMalloc(&p, 4));
  fine<<<1, 1>>>(p);
  SAY(cudaPeekAtLastError());
}
