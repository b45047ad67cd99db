// Atomic functions of all types and scopes, cuda::atomic and cuda::atomic_ref. Every thread applies
// an operation to one object; the outcome does not depend on the order. Prints "ok NAME".
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>
#include <cuda/atomic>

constexpr int kBlocks = 3, kThreads = 64, kAll = kBlocks * kThreads;

static void check(const char* name, bool good) {
  printf("%s %s\n", good ? "ok" : "wrong", name);
}

template <class T>
__global__ void integers(T* a) {
  const T i = static_cast<T>(blockIdx.x * blockDim.x + threadIdx.x);
  atomicAdd(&a[0], i);
  atomicAdd_system(&a[0], i);
  atomicMin(&a[1], i);
  atomicMin_system(&a[1], i);
  atomicMax(&a[2], i);
  atomicMax_system(&a[2], i);
  atomicAnd(&a[3], ~(T(1) << (threadIdx.x % 16)));
  atomicAnd_system(&a[3], ~(T(1) << (threadIdx.x % 16 + 8)));
  atomicOr(&a[4], T(1) << (threadIdx.x % 16));
  atomicOr_system(&a[4], T(1) << (threadIdx.x % 16 + 8));
  atomicXor(&a[5], i);
  atomicXor_system(&a[5], T(1) << 10);
  atomicExch(&a[6], T(7));
  atomicExch_system(&a[6], T(7));
  if constexpr (sizeof(T) == 4) atomicSub_system(&a[7], T(2));
  for (T seen = a[8], want; (want = atomicCAS_system(&a[8], seen, T(seen + 3))) != seen;) {
    seen = want;
  }
  __shared__ T mine[2];
  if (threadIdx.x == 0) mine[0] = mine[1] = 0;
  __syncthreads();
  atomicAdd_block(&mine[0], T(1));
  atomicMax_block(&mine[1], T(threadIdx.x));
  atomicCAS_block(&mine[1], T(1000), T(0));
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(&a[9], T(mine[0] + mine[1]));
}

template <class T>
static void all_integers(const char* name, T* a) {
  memset(a, 0, 10 * sizeof(T));
  a[1] = 1000;
  a[3] = static_cast<T>(-1);
  integers<<<kBlocks, kThreads>>>(a);
  bool good = cudaDeviceSynchronize() == cudaSuccess;
  good &= a[0] == kAll * (kAll - 1) && a[1] == 0 && a[2] == kAll - 1;
  good &= a[3] == static_cast<T>(~T(0xffffff)) && a[4] == 0xffffff;
  good &= a[5] == 0 && a[6] == 7 && a[8] == 3 * kAll && a[9] == kBlocks * (kThreads + 63);
  good &= sizeof(T) != 4 || a[7] == static_cast<T>(-2 * kAll);
  check(name, good);
}

__global__ void others(unsigned* u, float* f, double* d, float2* f2, float4* f4,
                       unsigned short* s) {
  atomicInc(&u[0], 9);
  atomicInc_system(&u[0], 9);
  atomicDec_block(&u[1], 9);
  atomicAdd(&f[0], 0.5f);
  atomicAdd_system(&f[0], 0.5f);
  atomicExch(&f[1], 2.5f);
  atomicAdd(d, 0.25);
  atomicAdd_block(d, 0.25);
  atomicAdd(f2, make_float2(1, 2));
  atomicAdd(f4, make_float4(1, 2, 3, 4));
  for (unsigned short seen = *s, was; (was = atomicCAS(s, seen, seen + 1)) != seen;) seen = was;
}

struct Pair {
  short a, b;
};

template <class T>
__global__ void objects(T* a, cuda::atomic<T, cuda::thread_scope_device>* object) {
  cuda::atomic_ref<T, cuda::thread_scope_device> sum(a[0]), least(a[1]), most(a[2]);
  const T i = static_cast<T>(static_cast<int>(threadIdx.x) - 10);
  sum.fetch_add(i, cuda::memory_order_relaxed);
  sum += T(1);
  sum -= T(1);
  least.fetch_min(i);
  most.fetch_max(i);
  ++*object;
  (*object)++;
  T seen = object->load();
  while (!object->compare_exchange_weak(seen, seen + T(3))) {
  }
  if constexpr (std::is_integral<T>::value) {
    cuda::atomic_ref<T, cuda::thread_scope_block> bits(a[3]);
    bits.fetch_or(T(1) << (threadIdx.x % 6));
    bits.fetch_xor(T(1) << 6);
    bits.fetch_and(T(0x7f));
  }
}

template <class T>
static void all_objects(const char* name, T* a) {
  memset(static_cast<void*>(a), 0, 5 * sizeof(T));
  auto* object = reinterpret_cast<cuda::atomic<T, cuda::thread_scope_device>*>(a + 4);
  const int threads = 30;
  objects<<<1, threads>>>(a, object);
  bool good = cudaDeviceSynchronize() == cudaSuccess;
  good &= a[0] == static_cast<T>(135) && object->load() == static_cast<T>(5 * threads);
  const bool is_signed = static_cast<T>(-1) < static_cast<T>(0);
  good &= a[1] == static_cast<T>(is_signed ? -10 : 0);
  good &= a[2] == static_cast<T>(is_signed ? 19 : -1);
  good &= !std::is_integral<T>::value || a[3] == static_cast<T>(63);
  check(name, good);
}

/// A flag with release and acquire, and a lock, between blocks that spin.
__global__ void hand_over(int* flag, int* lock, int* data, int* sum) {
  using reference = cuda::atomic_ref<int, cuda::thread_scope_device>;
  if (threadIdx.x == 0) {
    if (blockIdx.x == gridDim.x - 1) {
      *data = 42;
      reference(*flag).store(1, cuda::memory_order_release);
    } else {
      while (reference(*flag).load(cuda::memory_order_acquire) == 0) {
      }
    }
    reference mutex(*lock);
    while (mutex.exchange(1, cuda::memory_order_acquire) != 0) {
    }
    *sum += *data;
    mutex.store(0, cuda::memory_order_release);
    cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device);
  }
}

int main() {
  void* memory;
  cudaMallocManaged(&memory, 4096);
  all_integers("int", static_cast<int*>(memory));
  all_integers("unsigned", static_cast<unsigned*>(memory));
  all_integers("unsigned long long", static_cast<unsigned long long*>(memory));
  memset(memory, 0, 4096);
  auto* f = static_cast<float*>(memory);
  auto* u = reinterpret_cast<unsigned*>(f + 16);
  auto* d = reinterpret_cast<double*>(f + 32);
  auto* s = reinterpret_cast<unsigned short*>(f + 80);
  others<<<kBlocks, kThreads>>>(u, f, d, reinterpret_cast<float2*>(f + 48),
                                reinterpret_cast<float4*>(f + 64), s);
  bool good = cudaDeviceSynchronize() == cudaSuccess;
  good &= u[0] == 2 * kAll % 10 && u[1] == (10 - kAll % 10) % 10;
  good &= f[0] == kAll && f[1] == 2.5f && *d == kAll / 2 && *s == kAll;
  good &= f[48] == kAll && f[49] == 2 * kAll && f[64] == kAll && f[67] == 4 * kAll;
  check("others", good);

  all_objects("objects of signed char", static_cast<signed char*>(memory));
  all_objects("objects of unsigned short", static_cast<unsigned short*>(memory));
  all_objects("objects of int", static_cast<int*>(memory));
  all_objects("objects of unsigned", static_cast<unsigned*>(memory));
  all_objects("objects of long long", static_cast<long long*>(memory));
  all_objects("objects of float", static_cast<float*>(memory));
  all_objects("objects of double", static_cast<double*>(memory));
  memset(memory, 0, 4096);
  int* m = static_cast<int*>(memory);
  hand_over<<<20, 32>>>(m, m + 1, m + 2, m + 3);
  check("hand over", cudaDeviceSynchronize() == cudaSuccess && m[3] == 20 * 42);

  cuda::atomic<int> on_host(5);
  on_host.fetch_max(9);
  on_host.fetch_xor(1);
  ++on_host;
  cuda::atomic<Pair> whole(Pair{1, 2});
  Pair expected = {1, 2};
  good = whole.compare_exchange_strong(expected, Pair{3, 4}) && whole.load().b == 4;
  check("on the host", on_host == 9 && good);
}
