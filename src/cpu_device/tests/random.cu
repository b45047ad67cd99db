// cuRAND's generators in kernels.
#include <cstdio>

#include <curand_kernel.h>
// (cuRAND first)
#include "random_numbers.h"

__constant__ unsigned long long starts[kCount][3];  // kStarts, which are the host's

template <class State>
__global__ void draw_all(Numbers* out) {
  const int i = threadIdx.x;
  draw<State>(&out[i], starts[i][0], starts[i][1], starts[i][2]);
}

template <class State>
void all(const char* name) {
  Numbers* numbers;
  cudaMallocManaged(&numbers, kCount * sizeof *numbers);
  draw_all<State><<<1, kCount>>>(numbers);
  cudaDeviceSynchronize();
  for (int i = 0; i < kCount; ++i) print(name, numbers[i]);
  cudaFree(numbers);
}

// The states of many threads live in global memory; fours at a time, and means.
__global__ void prepare(curandStatePhilox4_32_10_t* states) {
  curand_init(7, threadIdx.x, 0, &states[threadIdx.x]);
}
__global__ void fours(curandStatePhilox4_32_10_t* states, bool* same) {
  curandStatePhilox4_32_10_t a = states[threadIdx.x], b = a;
  bool good = true;
  for (int skipped = 0; skipped < 5; ++skipped) {
    const uint4 four = curand4(&a);
    for (const unsigned int x : {four.x, four.y, four.z, four.w}) good = good && x == curand(&b);
    good = good && curand(&a) == curand(&b);
  }
  const float4 uniform = curand_uniform4(&a);
  good = good && uniform.x == curand_uniform(&b) && uniform.y == curand_uniform(&b);
  same[threadIdx.x] = good;
}
__global__ void means(double* sums) {
  curandState state;
  curand_init(99, threadIdx.x, 0, &state);
  double uniform = 0, square = 0, small = 0, large = 0;
  for (int i = 0; i < 1000; ++i) {
    const float normal = curand_normal(&state);
    uniform += curand_uniform(&state);
    square += normal * normal;
    small += curand_poisson(&state, 3.5);
    large += curand_poisson(&state, 150.0);
  }
  atomicAdd(&sums[0], uniform);
  atomicAdd(&sums[1], square);
  atomicAdd(&sums[2], small);
  atomicAdd(&sums[3], large);
}

int main() {
  cudaMemcpyToSymbol(starts, kStarts, sizeof starts);
  all<curandStateXORWOW_t>("xorwow");
  all<curandStatePhilox4_32_10_t>("philox");
  all<curandStateMRG32k3a_t>("mrg32k3a");
  curandStatePhilox4_32_10_t* states;
  bool* same;
  double* sums;
  cudaMalloc(&states, 64 * sizeof *states);
  cudaMallocManaged(&same, 64);
  cudaMallocManaged(&sums, 4 * sizeof *sums);
  for (int i = 0; i < 4; ++i) sums[i] = 0;
  prepare<<<1, 64>>>(states);
  fours<<<1, 64>>>(states, same);
  means<<<1, 32>>>(sums);
  cudaDeviceSynchronize();
  int good = 0;
  for (int i = 0; i < 64; ++i) good += same[i];
  std::printf("fours %d\nmeans %.2f %.2f %.2f %.1f\n", good, sums[0] / 32000, sums[1] / 32000,
              sums[2] / 32000, sums[3] / 32000);
}
