// Faults of the host's calls.
#include <cstdlib>

#include "cases.h"

void double_free(bool right) {
  int* p;
  cudaMalloc(&p, 4);
  cudaFree(p);
  if (!right) cudaFree(p);  // LINE double_free
}
void inner_free(bool right) {
  int* p;
  cudaMalloc(&p, 8);
  if (!right) cudaFree(p + 1);  // LINE inner_free
  cudaFree(p);
}
void pinned_free(bool right) {
  int* p;
  cudaMallocHost(&p, 4);
  if (!right) cudaFree(p);  // LINE pinned_free
  cudaFreeHost(p);
}
void leak(bool right) {
  int* p;
  cudaMalloc(&p, 123);  // LINE leak
  if (right) cudaFree(p);
}
void too_large(bool right) {
  Array<int> p(100);
  static int on_host[1000];
  cudaMemcpy(p, on_host, right ? 400 : 404, cudaMemcpyHostToDevice);  // LINE too_large
}
void direction(bool right) {
  Array<int> p(100);
  int on_host[100];
  cudaMemcpy(on_host, p, 400,  // LINE direction
             right ? cudaMemcpyDeviceToHost : cudaMemcpyHostToDevice);
}
void fill_too_large(bool right) {
  Array<int> p(100);
  cudaMemset(p, 0, right ? 400 : 1600);  // LINE fill_too_large
}

__global__ void nothing() {}
void refused(bool right) {
  nothing<<<1, 2048>>>();  // LINE refused
  if (right) printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}
void wrong_free_function(bool right) {
  int* p;
  cudaMallocHost(&p, 400);
  if (right) {
    cudaFreeHost(p);
  } else {
    free(p);  // LINE wrong_free_function
  }
}
__constant__ float coefficients[8];
void symbol(bool right) {
  const float on_host[16] = {};
  cudaMemcpyToSymbol(coefficients, on_host, right ? 32 : 64);  // LINE symbol
}
void managed_bounds(bool right) {
  int* p;
  cudaMallocManaged(&p, 1024 * sizeof *p);
  p[right ? 1023 : 1024] = 1;  // LINE managed_bounds
  cudaFree(p);
}
void managed_freed(bool right) {
  int* p;
  cudaMallocManaged(&p, 4);
  if (right) *p = 1;
  cudaFree(p);
  if (!right) *p = 1;  // LINE managed_freed
}

int main(int argc, char** argv) {
  const Case cases[] = {{"double_free", double_free},
                        {"inner_free", inner_free},
                        {"pinned_free", pinned_free},
                        {"leak", leak},
                        {"too_large", too_large},
                        {"direction", direction},
                        {"refused", refused},
                        {"wrong_free_function", wrong_free_function},
                        {"symbol", symbol},
                        {"managed_bounds", managed_bounds},
                        {"managed_freed", managed_freed},
                        {"fill_too_large", fill_too_large}};
  return run_case(argc, argv, cases);
}
