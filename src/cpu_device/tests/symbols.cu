// Device, constant and managed variables; with symbols_other.cu, of the same names there.
#include <cuda_runtime.h>

#include <cstdio>

__constant__ int constant_pair[2];
__device__ int counter = 10;
__device__ float table[4] = {1, 2, 3, 4};
__managed__ int shared_with_host = 1;
static __device__ int internal;
template <class T>
__device__ T generic;
__device__ constexpr int primes[] = {2, 3, 5, 7};
namespace holder {
__device__ int inside;
}

__global__ void use(int i) {
  counter += constant_pair[1];
  table[3] += primes[i];
  shared_with_host += 5;
  internal = 3;
  generic<int> = 77;
  holder::inside = 6;
}

int other_file();

int main() {
  const int values[2] = {5, 6};
  printf("%s\n", cudaGetErrorName(cudaMemcpyToSymbol(constant_pair, values, sizeof values)));
  use<<<1, 1>>>(2);
  int result = 0;
  cudaMemcpyFromSymbol(&result, counter, sizeof result);
  printf("counter %d\n", result);
  float number = 0;
  cudaMemcpyFromSymbol(&number, table, sizeof number, 3 * sizeof number);
  printf("table %g\n", number);
  printf("managed %d\n", shared_with_host);
  cudaMemcpyFromSymbol(&result, internal, sizeof result);
  printf("static %d\n", result);
  cudaMemcpyFromSymbol(&result, generic<int>, sizeof result);
  printf("template %d\n", result);
  cudaMemcpyFromSymbol(&result, holder::inside, sizeof result);
  printf("in a namespace %d\n", result);
  counter = 99;  // the host's shadow: changes nothing on the device
  cudaMemcpyFromSymbol(&result, counter, sizeof result);
  printf("after a host write %d\n", result);
  void* address = nullptr;
  size_t size = 0;
  printf("%s\n", cudaGetErrorName(cudaGetSymbolAddress(&address, counter)));
  cudaGetSymbolSize(&size, constant_pair);
  printf("size %zu\n", size);
  cudaMemset(address, 0, sizeof(int));
  cudaMemcpyFromSymbol(&result, counter, sizeof result);
  printf("through its address %d\n", result);
  printf("%s\n", cudaGetErrorName(cudaMemcpyToSymbol(constant_pair, values, 100)));
  printf("%s\n", cudaGetErrorName(cudaMemcpyToSymbol(values, values, 4)));
  printf("%s\n", cudaGetErrorName(cudaMemcpy(constant_pair, values, 4, cudaMemcpyHostToDevice)));
  printf("other file %d\n", other_file());
}
