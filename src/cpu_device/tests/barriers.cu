// Barriers and atomics. The argument "deadlock" runs the kernel that never ends on a GPU.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

__global__ void reverse(int* data) {
  __shared__ int tile[1024];
  const int t = threadIdx.x;
  tile[t] = data[t];
  __syncthreads();
  data[t] = tile[blockDim.x - 1 - t];
}

__global__ void predicates(int* out) {
  const int t = threadIdx.x;
  const int count = __syncthreads_count(t % 4 == 0);
  const int all = __syncthreads_and(t < 100);
  const int any = __syncthreads_or(t == 99);
  if (t == 0) *out = count * 100 + all * 10 + any;
}

__global__ void early_exit(int* out) {
  if (threadIdx.x >= 40) return;
  __syncthreads();
  atomicAdd(out, 1);
}

__global__ void locked(int* lock, int* sum) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  *sum += 1;
  __threadfence();
  atomicExch(lock, 0);
}

__global__ void flag(volatile int* ready, int* out) {
  if (threadIdx.x == 0) {
    while (*ready == 0) __nanosleep(100);
    *out = 5;
  } else {
    *ready = 1;
  }
}

__global__ void many_atomics(int* i, unsigned* u, unsigned long long* l, float* f, double* d) {
  const int t = threadIdx.x;
  atomicAdd(&i[0], t);
  atomicSub(&i[1], 1);
  atomicMin(&i[2], -t);
  atomicMax(&i[3], t);
  atomicOr(&u[0], 1u << (t % 32));
  atomicAnd(&u[1], ~(1u << (t % 32)));
  atomicXor(&u[2], static_cast<unsigned>(t));
  atomicInc(&u[3], 9);
  atomicAdd(l, 1ull << 33);
  atomicAdd(f, 0.5f);
  atomicAdd(d, 0.25);
}

__global__ void deadlocked(int* out) {
  if (threadIdx.x < 16)
    __syncwarp();
  else
    __syncthreads();
  *out = 1;
}

int main(int argc, char** argv) {
  int* m;
  cudaMallocManaged(&m, 8192);
  memset(m, 0, 8192);
  if (argc > 1 && !strcmp(argv[1], "deadlock")) {
    deadlocked<<<1, 32>>>(m);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
  }
  for (int i = 0; i < 1024; ++i) m[i] = i;
  reverse<<<1, 1024>>>(m);
  cudaDeviceSynchronize();
  printf("reverse %d %d\n", m[0], m[1000]);
  predicates<<<1, 100>>>(m);
  cudaDeviceSynchronize();
  printf("predicates %d\n", *m);
  *m = 0;
  early_exit<<<1, 64>>>(m);
  cudaDeviceSynchronize();
  printf("early exit %d\n", *m);
  m[0] = m[1] = 0;
  locked<<<4, 64>>>(m, m + 1);
  cudaDeviceSynchronize();
  printf("locked %d\n", m[1]);
  m[0] = m[1] = 0;
  flag<<<1, 2>>>(m, m + 1);
  cudaDeviceSynchronize();
  printf("flag %d\n", m[1]);
  memset(m, 0, 8192);
  unsigned* u = reinterpret_cast<unsigned*>(m + 16);
  u[1] = 0xffffffffu;
  auto* l = reinterpret_cast<unsigned long long*>(m + 32);
  float* f = reinterpret_cast<float*>(m + 48);
  double* d = reinterpret_cast<double*>(m + 64);
  many_atomics<<<1, 96>>>(m, u, l, f, d);
  cudaDeviceSynchronize();
  printf("atomics %d %d %d %d | %x %x %u %u | %llu | %g %g\n", m[0], m[1], m[2], m[3], u[0], u[1],
         u[2], u[3], *l >> 33, *f, *d);
}
