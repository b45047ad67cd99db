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

// Half of the threads add, and only they wait; the others go on with the loop.
__global__ void barrier_in_branch(int* out, bool right) {
  __shared__ int part[64];
  const int t = threadIdx.x;
  part[t] = t;
  __syncthreads();
  for (int half = 32; half > 0; half /= 2) {
    if (t < half) {  // LINE branch
      part[t] += part[t + half];
      if (!right) __syncthreads();  // LINE in_branch
    }
    if (right) __syncthreads();
  }
  if (t == 0) *out = part[0];
}

// Threads whose loop is shorter go on to what stands behind it.
__global__ void unequal_trips(int* out, int n, bool right) {
  const int trips = (n + 63) / 64 * 64;
  for (int i = threadIdx.x; i < (right ? trips : n); i += 64) {  // LINE trips
    __syncthreads();                                             // LINE in_loop
    if (i < n) out[i] = i;
  }
  atomicAdd(out + n, 1);
}

// Leaving before a barrier is legal, also out of a loop, and so is a branch that all threads take.
__global__ void legal_barriers(int* out, int n, bool uniform) {
  __shared__ int part[64];
  const int t = threadIdx.x;
  part[t] = t;
  if (uniform) {
    __syncthreads();
    part[t] += 1;
  }
  for (int half = 32; half > 0; half /= 2) {
    if (t >= half) return;
    if (t < n) part[t] += 1;
    if (uniform) __syncthreads();
  }
  *out = part[0];
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
void branch(bool right) {
  barrier_in_branch<<<1, 64>>>(Array<int>(1), right);
}
void trips(bool right) {
  unequal_trips<<<1, 64>>>(Array<int>(101), 100, right);
}
void legal_waits(bool) {
  legal_barriers<<<2, 64>>>(Array<int>(1), 20, true);
  legal_barriers<<<2, 64>>>(Array<int>(1), 20, false);
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
  const Case cases[] = {
      {"divergent", divergent}, {"early", early},        {"deadlock", deadlock},
      {"branch", branch},       {"trips", trips},        {"legal_waits", legal_waits},
      {"exited", exited},       {"partial", partial},    {"outside", outside},
      {"caller", caller},       {"legal_use", legal_use}};
  return run_case(argc, argv, cases);
}
