// Barriers and warp operations that not everybody reaches.
#include "cases.h"

__global__ void two_barriers(int* out, bool right) {
  if (right || threadIdx.x < 32) {
    out[threadIdx.x] = 1;
    __syncthreads();  // LINE first_barrier
  } else {
    out[threadIdx.x] = 2;
    __syncthreads();  // LINE second_barrier
  }
}

__global__ void early_return(int* out) {
  if (threadIdx.x >= 40) return;
  __syncthreads();
  out[threadIdx.x] = 1;
}

__global__ void never_together(int* out, bool right) {
  if (threadIdx.x < 16) {
    __syncwarp(right ? 0xffffu : 0xffffffffu);  // LINE waits_in_warp
  } else if (!right) {
    __syncthreads();  // LINE waits_in_block
  }
  *out = 1;
}

__global__ void reads_exited(int* out, bool right) {
  const int t = threadIdx.x;
  if (!right && t >= 20) return;
  int value = t < 20 ? t : 0;
  for (int k = 16; k > 0; k /= 2) value += __shfl_down_sync(0xffffffffu, value, k);  // LINE exited
  if (t == 0) *out = value;
}

__global__ void partial_warp(int* out, bool right) {  // a block of 24 threads
  const unsigned mask = right ? 0xffffffu : 0xffffffffu;
  const int other = __shfl_xor_sync(mask, 1, right ? 4 : 8);  // LINE partial
  out[threadIdx.x] = other;
}

__global__ void outside_mask(int* out, bool right) {
  if (threadIdx.x < 16) {
    out[threadIdx.x] = __shfl_sync(0xffffu, threadIdx.x, right ? 3 : 20);  // LINE outside
  }
}

__global__ void not_named(int* out, bool right) {
  const unsigned mask = right ? 0xffffffffu : 0xffffu;
  out[threadIdx.x] = __any_sync(mask, threadIdx.x == 3);  // LINE not_named
}

// Exited lanes in the mask are legal, and so is a lower part of a warp that reduces by distances.
__global__ void legal(int* out) {
  const int t = threadIdx.x;
  if (t >= 24) return;
  __syncwarp();
  const int all = __all_sync(0xffffffffu, 1);
  int value = t;
  if (t < 8) {
    for (int k = 4; k > 0; k /= 2) value += __shfl_down_sync(0xffu, value, k);
  }
  out[t] = value + all;
}

void divergent(bool right) {
  two_barriers<<<1, 64>>>(Array<int>(64), right);
}
void early(bool) {
  early_return<<<1, 64>>>(Array<int>(64));
}
void deadlock(bool right) {
  never_together<<<1, 32>>>(Array<int>(1), right);
}
void exited(bool right) {
  reads_exited<<<1, 32>>>(Array<int>(1), right);
}
void partial(bool right) {
  partial_warp<<<1, 24>>>(Array<int>(24), right);
}
void outside(bool right) {
  outside_mask<<<1, 32>>>(Array<int>(16), right);
}
void caller(bool right) {
  not_named<<<1, 32>>>(Array<int>(32), right);
}
void legal_use(bool) {
  legal<<<1, 32>>>(Array<int>(32));
}

int main(int argc, char** argv) {
  const Case cases[] = {{"divergent", divergent}, {"early", early},        {"deadlock", deadlock},
                        {"exited", exited},       {"partial", partial},    {"outside", outside},
                        {"caller", caller},       {"legal_use", legal_use}};
  return run_case(argc, argv, cases);
}
