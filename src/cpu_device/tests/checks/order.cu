// Races: accesses that nothing orders, in shared and global memory.
#include <cooperative_groups.h>

#include <cuda/atomic>

#include "cases.h"

__global__ void rotate(int* out, bool right) {
  __shared__ int s[256];
  s[threadIdx.x] = threadIdx.x;  // LINE barrier_store
  if (right) __syncthreads();
  out[threadIdx.x] = s[(threadIdx.x + 32) % 256];  // LINE barrier_load
}

// The read of one round and the write of the next need a barrier between them as well.
__global__ void second_barrier(int* out, bool right) {
  __shared__ int s[256];
  for (int round = 0; round < 3; ++round) {
    s[threadIdx.x] = round;  // LINE second_store
    __syncthreads();
    out[threadIdx.x] += s[(threadIdx.x + 32) % 256];  // LINE second_load
    if (right) __syncthreads();
  }
}

// As written for GPUs before 2017, whose lanes ran in step.
__global__ void warp_sum(int* out, bool right) {
  __shared__ volatile int s[64];
  const int t = threadIdx.x;
  s[t] = 1;       // LINE warp_first_store
  s[t + 32] = 2;  // LINE warp_second_store
  for (int k = 32; k > 0; k /= 2) {
    if (right) __syncwarp();
    const int other = s[t + k];  // LINE warp_load
    if (right) __syncwarp();
    if (t < k) s[t] = s[t] + other;
  }
  if (t == 0) *out = s[0];
}

// Half a warp meets in a mask of its own; the other half has no part in that.
__global__ void half_warp(int* out, bool right) {
  __shared__ int s[32];
  const int t = threadIdx.x;
  s[t] = t;  // LINE half_store
  __syncwarp(t < 16 ? 0xffffu : 0xffff0000u);
  out[t] = s[right ? t ^ 8 : t ^ 16];  // LINE half_load
}

// A mask without the lanes that have left says nothing about what they did before.
__global__ void lanes_left(int* out, bool right) {
  __shared__ int s[32];
  const int t = threadIdx.x;
  s[t] = t;  // LINE left_store
  if (right) __syncwarp();
  if (t >= 16) return;
  __syncwarp(0xffffu);
  out[t] = s[t + 16];  // LINE left_load
}

__global__ void count(int* counter, bool right) {
  if (right) {
    atomicAdd(counter, 1);
  } else {
    *counter += 1;  // LINE count
  }
}

__global__ void neighbour_block(int* p, bool right) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  p[i] = i;  // LINE neighbour_store
  if (right) return;
  p[256 + i] = p[(i + 64) % 256];  // LINE neighbour_load
}

__device__ unsigned ticket;

__global__ void total(const int* in, int* partial, int* out, bool fence, bool reset) {
  __shared__ int s[64];
  __shared__ bool last;
  const unsigned t = threadIdx.x;
  s[t] = in[blockIdx.x * 64 + t];
  __syncthreads();
  for (unsigned k = 32; k > 0; k /= 2) {
    if (t < k) s[t] += s[t + k];
    __syncthreads();
  }
  if (t == 0) {
    partial[blockIdx.x] = s[0];  // LINE partial_store
    if (fence) __threadfence();
    last = atomicAdd(&ticket, 1) == gridDim.x - 1;  // LINE ticket
  }
  __syncthreads();
  if (!last) return;
  if (t == 0) {
    int sum = 0;
    for (unsigned i = 0; i < gridDim.x; ++i) sum += partial[i];  // LINE partial_load
    *out = sum;
    if (reset) ticket = 0;
  }
}

__global__ void locked(int* lock, int* sum, bool right) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  *sum += 1;  // LINE locked
  if (right) __threadfence();
  atomicExch(lock, 0);
}

// Block 0 produces, block 1 polls a flag.
__global__ void handed_on(volatile int* flag, int* value, bool right) {
  if (blockIdx.x == 0) {
    *value = 42;  // LINE produce
    if (right) __threadfence();
    *flag = 1;
  } else {
    while (*flag == 0) __nanosleep(100);
    __threadfence();
    value[1] = *value;  // LINE consume
  }
}

// Data and flag are both volatile: nothing is kept in registers, and still the fence is needed.
__global__ void message(volatile int* flag, volatile int* value, int* out, bool right) {
  if (blockIdx.x == 0) {
    *value = 42;  // LINE message_store
    if (right) __threadfence();
    *flag = 1;
  } else {
    while (*flag == 0) {
    }
    if (right) __threadfence();
    *out = *value;  // LINE message_load
  }
}
// The last block adds up volatile partial sums.
__global__ void volatile_total(volatile int* partial, unsigned* taken, int* out, bool right) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = blockIdx.x;  // LINE volatile_partial
    if (right) __threadfence();
    last = atomicAdd(taken, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x < gridDim.x) {
    atomicAdd(out, partial[threadIdx.x]);  // LINE volatile_sum
  }
}
// Harmless: flags that carry nothing but themselves, and a value that changes all the time.
__global__ void only_flags(volatile int* flags, int* out) {
  const unsigned me = blockIdx.x;
  flags[me] = 1;
  for (unsigned other = gridDim.x; other-- > 0;) {
    while (flags[other] == 0) {
    }
  }
  atomicAdd(out, 1);
}
__global__ void ever_changing(volatile int* progress, int* out, int* count) {
  for (int i = 1; i <= 10; ++i) *progress = i;
  out[blockIdx.x] = *progress;
  atomicAdd(count, 1);
}

// The same with an atomic object, whose memory order hands over.
__global__ void released(int* flag, int* value, bool right) {
  const cuda::atomic_ref<int, cuda::thread_scope_device> ready(*flag);
  if (blockIdx.x == 0) {
    *value = 42;  // LINE release_store
    ready.store(1, right ? cuda::memory_order_release : cuda::memory_order_relaxed);
  } else {
    while (ready.load(cuda::memory_order_acquire) == 0) {
    }
    value[1] = *value;  // LINE acquire_load
  }
}

// All blocks write before any block reads.
__global__ void two_phases(int* p, int* out, bool right) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  p[i] = i;  // LINE first_phase
  if (right) {
    cooperative_groups::this_grid().sync();
  } else {
    __syncthreads();
  }
  out[i] = p[n - 1 - i];  // LINE second_phase
}

// The same with a barrier of all blocks made by hand.
__global__ void own_barrier(int* p, int* out, int* arrived, bool right) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  p[i] = i;  // LINE own_store
  __syncthreads();
  if (threadIdx.x == 0) {
    if (right) __threadfence();
    atomicAdd(arrived, 1);
    while (atomicAdd(arrived, 0) < static_cast<int>(gridDim.x)) {
    }
  }
  __syncthreads();
  out[i] = p[n - 1 - i];  // LINE own_load
}

// Harmless: everybody writes the same, or verifies by compare-and-swap what was read.
__global__ void same_value(int* flag) {
  *flag = 1;
}
__global__ void add_float(float* address, float value) {
  int* const bits = reinterpret_cast<int*>(address);
  int old = *bits, assumed;
  do {
    assumed = old;
    old = atomicCAS(bits, assumed, __float_as_int(value + __int_as_float(assumed)));
  } while (old != assumed);
}
__global__ void bytes(char* p) {
  p[threadIdx.x] = static_cast<char>(threadIdx.x);
}

void barrier(bool right) {
  rotate<<<1, 256>>>(Array<int>(256), right);
}
void next_round(bool right) {
  second_barrier<<<1, 256>>>(Array<int>(256), right);
}
void warp(bool right) {
  warp_sum<<<1, 32>>>(Array<int>(1), right);
}
void part_of_warp(bool right) {
  half_warp<<<1, 32>>>(Array<int>(32), right);
}
void left(bool right) {
  lanes_left<<<1, 32>>>(Array<int>(16), right);
}
void counter(bool right) {
  count<<<2, 64>>>(Array<int>(1), right);
}
void blocks(bool right) {
  neighbour_block<<<4, 64>>>(Array<int>(512), right);
}
void last_block(bool fence, bool reset, int second_grid) {
  Array<int> in(32 * 64), partial(32), out(1);
  total<<<16, 64>>>(in, partial, out, fence, reset);
  total<<<second_grid, 64>>>(in, partial, out, fence, reset);
}
void fence(bool right) {
  last_block(right, true, 16);
}
void reset(bool right) {
  last_block(true, right, 16);
}
void reset_larger(bool right) {  // half of the blocks have come when one takes itself for the last
  last_block(true, right, 32);
}
void lock(bool right) {
  Array<int> p(2);
  locked<<<2, 64>>>(p, p + 1, right);
}
void flag(bool right) {
  Array<int> p(3);
  handed_on<<<2, 1>>>(p, p + 1, right);
}
void message_kept(bool right) {
  Array<int> p(3);
  message<<<2, 1>>>(p, p + 1, p + 2, right);
}
void message_ticket(bool right) {
  Array<int> p(34);
  volatile_total<<<32, 32>>>(p, reinterpret_cast<unsigned*>(p + 32), p + 33, right);
}
void volatile_use(bool) {
  Array<int> p(34);
  only_flags<<<8, 1>>>(p, p + 33);
  ever_changing<<<8, 1>>>(p + 32, p + 8, p + 33);
}
void release(bool right) {
  Array<int> p(3);
  released<<<2, 1>>>(p, p + 1, right);
}
void grid(bool right) {
  Array<int> p(256), q(256);
  int *a = p, *b = q;
  void* arguments[] = {&a, &b, &right};
  cudaLaunchCooperativeKernel(two_phases, 4, 64, arguments);
}
void barrier_by_hand(bool right) {
  Array<int> p(256), q(256), arrived(1);
  own_barrier<<<4, 64>>>(p, q, arrived, right);
}
void harmless(bool) {
  Array<int> p(64);
  same_value<<<4, 64>>>(p);
  add_float<<<4, 64>>>(reinterpret_cast<float*>(p + 1), 1.5f);
  bytes<<<1, 64>>>(reinterpret_cast<char*>(p + 2));
}

int main(int argc, char** argv) {
  const Case cases[] = {{"barrier", barrier},
                        {"next_round", next_round},
                        {"warp", warp},
                        {"half", part_of_warp},
                        {"left", left},
                        {"counter", counter},
                        {"blocks", blocks},
                        {"fence", fence},
                        {"reset", reset},
                        {"lock", lock},
                        {"reset_larger", reset_larger},
                        {"flag", flag},
                        {"grid", grid},
                        {"harmless", harmless},
                        {"barrier_by_hand", barrier_by_hand},
                        {"release", release},
                        {"message", message_kept},
                        {"message_ticket", message_ticket},
                        {"volatile_use", volatile_use}};
  return run_case(argc, argv, cases);
}
