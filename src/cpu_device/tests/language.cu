// The shapes in which programs write kernels and launches. Prints one line a shape; a wrong value
// is printed in its place.
#include <cuda_runtime.h>

#include <array>
#include <cstdio>
#include <vector>

namespace outer {
namespace inner {
template <typename T, int Count>
__global__ void fill(T* out, T value) {
  for (int i = threadIdx.x; i < Count; i += blockDim.x) out[i] = value;
}
}  // namespace inner
}  // namespace outer

template <typename T>
__global__ void scale(T factor, const T* in, T* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = factor * in[i];
}

__global__ void overloaded(int* out) {
  *out = 1;
}
__global__ void overloaded(float* out) {
  *out = 2;
}
__global__ void takes_null(int* out, const int* maybe) {
  *out = maybe == nullptr ? 7 : 8;
}

struct Large {
  int value[100];
};
__global__ void by_value(Large large, int* out) {
  large.value[threadIdx.x] += threadIdx.x;  // each thread has a copy of its own
  out[threadIdx.x] = large.value[threadIdx.x] + large.value[(threadIdx.x + 1) % 32];
}

template <class F>
__global__ void apply(F f, int* out) {
  out[threadIdx.x] = f(threadIdx.x);
}
struct Square {
  int factor;
  __device__ int operator()(int x) const { return factor * x * x; }
};
struct Copied {  // not trivially copyable: handed over by hidden reference
  int a;
  __host__ __device__ explicit Copied(int v) : a(v) {}
  __host__ __device__ Copied(const Copied& other) : a(other.a) {}
};
__global__ void takes_copied(Copied c, int* out) {
  *out = c.a;
}

namespace {
__global__ void in_unnamed_namespace(int* out) {
  *out = 11;
}
}  // namespace
static __global__ void internal(int* out) {
  *out = 12;
}
extern "C" __global__ void c_linkage(int* out) {
  *out = 13;
}

template <int A, bool Positive = (A > 3)>
__global__ void defaulted(int* out) {
  *out = Positive ? A : -A;
}

__global__ void all_kinds(char c, float4 q, double d, short s, float3 f, uchar3 u, Square square,
                          bool b, long long l, int* out) {
  out[0] =
      c + int(q.x + q.w) + int(d) + s + int(f.x + f.z) + u.x + u.z + square.factor + b + int(l);
}

__host__ __device__ inline int which_side() {
#if defined(__CUDA_ARCH__)
  return __CUDA_ARCH__;
#else
  return 0;
#endif
}
__global__ void arch(int* out) {
  *out = which_side();
}

struct Defaulted {
  int a = 3;
  int b = 4;
};
__global__ void shared_of_structs(int* out) {
  __shared__ float4 quads[64];
  __shared__ Defaulted defaults[2];
  static __shared__ int counter;
  if (threadIdx.x == 0) counter = 0;
  quads[threadIdx.x] = make_float4(threadIdx.x, 0, 0, 1);
  defaults[threadIdx.x % 2].a = 3;
  __syncthreads();
  atomicAdd(&counter, int(quads[31 - threadIdx.x].x));
  __syncthreads();
  out[threadIdx.x] = counter + defaults[0].a;
}

extern __shared__ double dynamic_doubles[];
__global__ void dynamic_shared(int* out) {
  extern __shared__ int dynamic_ints[];  // the same memory, by another name and type
  dynamic_ints[threadIdx.x] = threadIdx.x;
  __syncthreads();
  long long bits;
  memcpy(&bits, &dynamic_doubles[1], 8);
  out[threadIdx.x] = dynamic_ints[blockDim.x - 1 - threadIdx.x] + int(bits >> 32);
}

__global__ void standard_library(int* out) {
  std::array<int, 3> values{1, 2, 3};
  out[0] = std::max(values[1], values[2]) + std::min(4, 5) + int(std::sqrt(16.0f)) + max(1, 2) +
           int(sqrtf(9.0f)) + int(std::abs(-3.0));
}

#define BLOCKS(n) (((n) + 127) / 128)
#define LAUNCH(kernel, n, ...)               \
  do {                                       \
    kernel<<<BLOCKS(n), 128>>>(__VA_ARGS__); \
  } while (0)
#define ONE_THREAD <<<1, 1>>>

struct Runner {
  int* out;
  void go() { overloaded<<<1, 1>>>(out); }
  template <class T>
  void scaled(T* in) {
    scale<T><<<1, 32>>>(T(3), in, in, 32);
  }
};

int* ints;
float* floats;

int first() {
  int value = -1;
  cudaMemcpy(&value, ints, sizeof value, cudaMemcpyDeviceToHost);
  return value;
}
int at(int i) {
  int value = -1;
  cudaMemcpy(&value, ints + i, sizeof value, cudaMemcpyDeviceToHost);
  return value;
}
float first_float() {
  float value = -1;
  cudaMemcpy(&value, floats, sizeof value, cudaMemcpyDeviceToHost);
  return value;
}

int main() {
  cudaMalloc(&ints, 4096);
  cudaMalloc(&floats, 4096);
  outer::inner::fill<float, (8 > 4 ? 16 : 2)><<<1, 32>>>(floats, 1.5f);
  printf("template %g\n", first_float());
  scale<<<BLOCKS(16), 128>>>(2.0f, floats, floats, 16);
  LAUNCH(scale<float>, 16, 2.0f, floats, floats, 16);
  printf("deduced, macro %g\n", first_float());
  Runner{ints}.scaled(floats);
  printf("member template %g\n", first_float());
  overloaded<<<1, 1>>>(ints);
  overloaded<<<1, 1>>>(floats);
  printf("overloads %d %g\n", first(), first_float());
  takes_null<<<1, 1>>>(ints, NULL);
  const int with_macro = first();
  takes_null<<<1, 1>>>(ints, 0);
  const int with_zero = first();
  takes_null<<<1, 1>>>(ints, nullptr);
  printf("null %d %d %d\n", with_macro, with_zero, first());
  by_value<<<1, 32>>>(Large{}, ints);
  printf("by value %d %d\n", at(5), at(31));
  apply<<<1, 32>>>(Square{3}, ints);
  printf("functor %d\n", at(4));
  const int offset = 100;
  apply<<<1, 32>>>([=] __device__(int x) { return x + offset; }, ints);
  printf("lambda %d\n", at(2));
  apply<<<1, 32>>>([] __device__(int x) { return x + 1; }, ints);
  printf("empty lambda %d\n", at(2));
  takes_copied<<<1, 1>>>(Copied(21), ints);
  printf("copied %d\n", first());
  in_unnamed_namespace<<<1, 1>>>(ints);
  const int unnamed = first();
  internal<<<1, 1>>>(ints);
  const int inside = first();
  c_linkage<<<1, 1>>>(ints);
  printf("linkage %d %d %d\n", unnamed, inside, first());
  defaulted<5><<<1, 1>>>(ints);
  const int five = first();
  defaulted<2><<<1, 1>>>(ints);
  printf("default arguments %d %d\n", five, first());
  void (*pointer)(int*) = overloaded;
  cudaMemset(ints, 0, 4);
  pointer<<<1, 1>>>(ints);
  (*pointer) ONE_THREAD(ints);
  printf("function pointer %d\n", first());
  all_kinds<<<dim3(1), dim3{1, 1, 1}, 0, 0>>>(1, make_float4(1, 2, 3, 4), 2.5, 3,
                                              make_float3(1, 2, 3), make_uchar3(1, 2, 3), Square{4},
                                              true, 100, ints);
  printf("kinds of arguments %d\n", first());
  arch<<<1, 1>>>(ints);
  printf("arch %d %d\n", first(), which_side());
  shared_of_structs<<<1, 32>>>(ints);
  printf("shared %d\n", at(7));
  dynamic_shared<<<1, 32, 32 * sizeof(int)>>>(ints);
  printf("dynamic shared %d\n", at(0));
  standard_library<<<1, 1>>>(ints);
  printf("library %d\n", first());
  void* arguments[] = {&ints};
  void (*one)(int*) = c_linkage;
  cudaMemset(ints, 0, 4);
  cudaLaunchKernel(one, dim3(1), dim3(1), arguments, 0, nullptr);
  printf("launched by name %d\n", first());
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(1);
  config.blockDim = dim3(32);
  cudaLaunchKernelEx(&config, scale<float>, 2.0f, static_cast<const float*>(floats), floats, 32);
  printf("launched with a configuration %g\n", first_float());
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
