// Faults of addresses, and reads of what nobody wrote.
#include <cassert>

#include <cuda/atomic>

#include "cases.h"

__global__ void fill(int* p, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = i;  // LINE fill
}
__global__ void store_at(int* p, long long i) {
  p[i] = 1;  // LINE store_at
}
__global__ void load_from(const int* from, int* to) {
  to[threadIdx.x] = from[threadIdx.x];  // LINE load_from
}

__global__ void two_arrays(int* out, int shift) {
  __shared__ int first[32];
  __shared__ int second[32];
  first[threadIdx.x] = 1;
  second[threadIdx.x] = 2;
  __syncthreads();
  out[threadIdx.x] = first[threadIdx.x + shift] + second[threadIdx.x];  // LINE two_arrays
}
__global__ void dynamic_array(int* out) {
  extern __shared__ int values[];
  values[threadIdx.x] = 1;  // LINE dynamic_array
  out[threadIdx.x] = values[threadIdx.x];
}
__global__ void four_at_once(float* p, int shift) {
  *reinterpret_cast<float4*>(p + shift) = float4{1, 2, 3, 4};  // LINE four_at_once
}

__global__ void asserts(unsigned limit) {
  assert(threadIdx.x < limit);  // LINE asserts
}
__global__ void traps(unsigned limit) {
  if (threadIdx.x >= limit) __trap();  // LINE traps
}
__device__ __noinline__ int deep(int depth, int* out) {  // LINE deep
  int frame[256] = {};
  frame[depth % 256] = depth;
  const int below = depth > 0 ? deep(depth - 1, out) : 0;
  return *out = below + frame[7];
}
__global__ void recursion(int* out, int depth) {
  *out = deep(depth, out);
}

__constant__ int weights[8];
__device__ int table[8], behind[8];
__global__ void constant_index(int* out, int shift) {
  const int t = threadIdx.x;
  if (t < 8) out[t] = weights[t + shift];  // LINE constant_index
}
__global__ void variable_index(unsigned n) {
  if (threadIdx.x < n) table[threadIdx.x] = behind[threadIdx.x % 8];  // LINE variable_index
}

__global__ void padded_rows(int* out, int pitch) {
  alignas(16) __shared__ int tile[4 * 40];
  for (int row = 0; row < 4; ++row) tile[row * pitch + threadIdx.x] = row;
  __syncthreads();
  const int4 four = *reinterpret_cast<const int4*>(&tile[threadIdx.x % 4 * pitch]);  // LINE wide
  out[threadIdx.x] = four.x + four.w;
}

// An atomic exchange or store may be the first to write a word, an addition may not.
__global__ void first_atomic(int* word, int* out, bool right) {
  __shared__ int hits;
  if (right) atomicExch(&hits, 0);
  if (threadIdx.x == 0) cuda::atomic_ref<int>(*word).store(1);
  __syncthreads();
  out[threadIdx.x] = atomicAdd(&hits, 1) + *word;  // LINE first_atomic
}

__global__ void unfilled_tile(int* out, int n, bool right) {
  __shared__ int tile[64];
  const int i = blockIdx.x * 64 + threadIdx.x;
  if (!right && i >= n) return;  // returning before a barrier is legal ...
  tile[threadIdx.x] = i;
  __syncthreads();
  if (i < n) out[i] = tile[63 - threadIdx.x];  // LINE unfilled_tile
}

__device__ int* kept;
__global__ void grow(int n) {
  kept = static_cast<int*>(malloc(n * sizeof(int)));
}
__global__ void store_kept(int i) {
  kept[i] = 1;  // LINE store_kept
}
__global__ void shrink(int times) {
  for (int i = 0; i < times; ++i) free(kept);  // LINE shrink
}

struct Padded {
  double value;
  int key;  // four bytes behind it are nobody's
};
__global__ void write_padded(Padded* p) {
  p[threadIdx.x].value = 1;
  p[threadIdx.x].key = 2;
}

void by_one(bool right) {
  Array<int> p(1000);
  fill<<<4, 256>>>(p, right ? 1000 : 1001);
}
void neighbour(bool right) {
  Array<int> p(1000), q(1000);
  store_at<<<1, 1>>>(p, right ? 999 : 1500);
}
void negative(bool right) {
  Array<int> p(1000);
  store_at<<<1, 1>>>(p, right ? 0 : -1);
}
void use_after_free(bool right) {
  int* p;
  cudaMalloc(&p, 400);
  if (!right) cudaFree(p);
  store_at<<<1, 1>>>(p, 0);
  if (right) cudaFree(p);
}
void null_pointer(bool right) {
  Array<int> p(1);
  store_at<<<1, 1>>>(right ? static_cast<int*>(p) : nullptr, 0);
}
void host_pointer(bool right) {
  static int on_host[32];
  Array<int> p(32), q(32);
  load_from<<<1, 32>>>(right ? static_cast<int*>(q) : on_host, p);
}
void misaligned(bool right) {
  Array<float> p(8);
  four_at_once<<<1, 1>>>(p, right ? 4 : 1);
}
void assertion(bool right) {
  asserts<<<1, 32>>>(right ? 32 : 31);
}
void heap_bounds(bool right) {
  grow<<<1, 1>>>(100);
  store_kept<<<1, 1>>>(right ? 99 : 100);
  shrink<<<1, 1>>>(1);
}
void heap_freed_twice(bool right) {
  grow<<<1, 1>>>(100);
  shrink<<<1, 1>>>(right ? 1 : 2);
}
void trap(bool right) {
  traps<<<1, 32>>>(right ? 32 : 31);
}
void stack(bool right) {
  recursion<<<1, 1>>>(Array<int>(1), right ? 10 : 1000);
}
void constant_bounds(bool right) {
  constant_index<<<1, 32>>>(Array<int>(32), right ? 0 : 1);
}
void variable_bounds(bool right) {
  variable_index<<<1, 32>>>(right ? 8 : 9);
}
void misaligned_shared(bool right) {
  padded_rows<<<1, 32>>>(Array<int>(32), right ? 36 : 33);
}
void shared_bounds(bool right) {
  Array<int> p(32);
  two_arrays<<<1, 32>>>(p, right ? 0 : 1);
}
void dynamic_bounds(bool right) {
  Array<int> p(32);
  dynamic_array<<<1, 32, 4 * (right ? 32 : 31)>>>(p);
}
void shared_unwritten(bool right) {
  Array<int> p(100);
  unfilled_tile<<<2, 64>>>(p, 100, right);
}
void first_atomic(bool right) {
  Array<int> word(1, false), out(64);
  first_atomic<<<1, 64>>>(word, out, right);
}
void global_unwritten(bool right) {
  Array<int> p(32, false), q(32);
  const int on_host[32] = {};
  cudaMemcpy(p, on_host, right ? 128 : 32, cudaMemcpyHostToDevice);  // 32 elements, not bytes
  load_from<<<1, 32>>>(p, q);
}
void copy_unwritten(bool right) {
  Array<int> p(1000, false);
  int on_host[1000];
  fill<<<right ? 4 : 3, 256>>>(p, 1000);
  cudaMemcpy(on_host, p, sizeof on_host, cudaMemcpyDeviceToHost);  // LINE copy_unwritten
}
void padding(bool) {
  Array<Padded> p(32, false);
  Padded on_host[32];
  write_padded<<<1, 32>>>(p);
  cudaMemcpy(on_host, p, sizeof on_host, cudaMemcpyDeviceToHost);
}

int main(int argc, char** argv) {
  const Case cases[] = {{"by_one", by_one},
                        {"neighbour", neighbour},
                        {"negative", negative},
                        {"use_after_free", use_after_free},
                        {"null_pointer", null_pointer},
                        {"host_pointer", host_pointer},
                        {"heap_bounds", heap_bounds},
                        {"heap_freed_twice", heap_freed_twice},
                        {"assertion", assertion},
                        {"trap", trap},
                        {"stack", stack},
                        {"constant_bounds", constant_bounds},
                        {"variable_bounds", variable_bounds},
                        {"misaligned", misaligned},
                        {"misaligned_shared", misaligned_shared},
                        {"shared_bounds", shared_bounds},
                        {"dynamic_bounds", dynamic_bounds},
                        {"shared_unwritten", shared_unwritten},
                        {"first_atomic", first_atomic},
                        {"global_unwritten", global_unwritten},
                        {"copy_unwritten", copy_unwritten},
                        {"padding", padding}};
  return run_case(argc, argv, cases);
}
