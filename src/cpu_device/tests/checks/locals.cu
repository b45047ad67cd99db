// Local arrays: indices that are wrong by one, directly and through a pointer.
#include <array>

#include "cases.h"

__global__ void histogram(int* out, int values) {
  int count[8] = {};
  for (int i = 0; i < values; ++i) count[i] += i;  // LINE histogram
  out[threadIdx.x] = count[threadIdx.x % 8];
}

__device__ __noinline__ void fill(int* p, int n) {
  for (int i = 0; i < n; ++i) p[i] = i;  // LINE fill
}
__global__ void by_pointer(int* out, int n) {
  int a[8], b[8];
  fill(a, n);
  fill(b, 8);
  out[threadIdx.x] = a[threadIdx.x % 8] + b[7];
}

__global__ void constant_index(int* out, bool right) {
  int a[4];
  int* const p = a;
  for (int i = 0; i < 4; ++i) p[i] = i;
  if (!right) p[4] = 1;  // LINE constant_index
  out[threadIdx.x] = p[3];
}

__global__ void window(const int* in, int* out, int n, bool right) {
  int last[3] = {};
  for (int i = 0; i < n; ++i) {
    last[i % 3] = in[i];
    out[i] = last[i % 3] + last[right ? (i + 2) % 3 : i % 3 - 1];  // LINE window
  }
}

struct Matrix {
  float at[2][2];
};
__global__ void in_structure(float* out, int n) {
  Matrix m{};
  for (int i = 0; i < n; ++i) m.at[i / 2][i % 2] += i;  // LINE in_structure
  out[threadIdx.x] = m.at[1][1];
}

// A thread hands its neighbour the address of its own variable.
__global__ void by_address(int* out, bool right) {
  __shared__ int* address[32];
  __shared__ int value[32];
  int mine = threadIdx.x;
  address[threadIdx.x] = &mine;
  value[threadIdx.x] = mine;
  __syncthreads();
  const unsigned other = (threadIdx.x + 1) % 32;
  out[threadIdx.x] = right ? value[other] : *address[other];  // LINE by_address
  __syncthreads();
}

// Silent: arrays of functions that are called again and again, recursion, variables whose address
// is handed on, arrays handed from lane to lane by shuffles, std::array.
__device__ __noinline__ int sum(const int* p, int n) {
  int total = 0;
  for (int i = 0; i < n; ++i) total += p[i];
  return total;
}
__device__ __noinline__ void set(int* p, int value) {
  *p = value;
}
__device__ int inlined(int value) {
  int a[5];
  for (int i = 0; i < 5; ++i) a[i] = value + i;
  return sum(a, 5);
}
__device__ __noinline__ int scalars(int value) {
  int a = 0, b = 0, c = 0, d = 0;
  set(&a, value);
  set(&b, a + 1);
  set(&c, b + 1);
  set(&d, c + 1);
  return a + b + c + d;
}
__device__ __noinline__ int depths(int depth) {
  int a[3] = {depth, depth, depth};
  if (depth == 0) return scalars(1);
  const int below = depths(depth - 1);
  return sum(a, 3) + below + scalars(depth);
}
__global__ void tidy(int* out, int n) {
  std::array<int, 4> each{};
  int total = 0;
  for (int i = 0; i < n; ++i) {
    total += inlined(i);
    total += scalars(i);
    each[i % 4] += total;
    __syncthreads();
  }
  total += depths(5) + scalars(2);
  for (int i = 0; i < 4; ++i) total += __shfl_xor_sync(0xffffffffu, each[i], 1);
  out[threadIdx.x] = total;
}

void count(bool right) {
  histogram<<<1, 32>>>(Array<int>(32), right ? 8 : 9);
}
void pointer(bool right) {
  by_pointer<<<1, 32>>>(Array<int>(32), right ? 8 : 9);
}
void constant(bool right) {
  constant_index<<<1, 32>>>(Array<int>(32), right);
}
void negative(bool right) {
  window<<<1, 1>>>(Array<int>(32), Array<int>(32), 32, right);
}
void structure(bool right) {
  in_structure<<<1, 32>>>(Array<float>(32), right ? 4 : 5);
}
void foreign(bool right) {
  by_address<<<1, 32>>>(Array<int>(32), right);
}
void many(bool) {
  tidy<<<2, 64>>>(Array<int>(64), 10);
}

int main(int argc, char** argv) {
  const Case cases[] = {{"count", count},       {"pointer", pointer},     {"constant", constant},
                        {"negative", negative}, {"structure", structure}, {"many", many},
                        {"foreign", foreign}};
  return run_case(argc, argv, cases);
}
