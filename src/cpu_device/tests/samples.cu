// What public sample programs use here and there: rarer calls, casts, types and headers.
#include <cuComplex.h>
#include <cuda_profiler_api.h>
#include <math_constants.h>
#if __has_include(<nvToolsExt.h>)  // until CUDA 12
#include <nvToolsExt.h>
#endif

#include <cstdio>
#include <cuda/cmath>
#include <cuda/std/array>
#include <cuda/std/tuple>
#include <nvtx3/nvtx3.hpp>

template <class T>
__global__ void casts(T* in, long long* out) {
  for (int i = 0; i < 4; ++i) {
    out[3 * i] = static_cast<int>(in[i]);
    out[3 * i + 1] = static_cast<unsigned>(in[i]);
    out[3 * i + 2] = static_cast<long long>(in[i]);
  }
}

template <class T>
void try_casts(const char* name) {
  T* in;
  long long* out;
  cudaMallocManaged(&in, 4 * sizeof *in);
  cudaMallocManaged(&out, 12 * sizeof *out);
  const T values[] = {T(1e20), T(-1e20), T(-2.75), T(3e9)};
  for (int i = 0; i < 4; ++i) in[i] = values[i];
  casts<<<1, 1>>>(in, out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 4; ++i) {
    std::printf("%s %lld %lld %lld\n", name, out[3 * i], out[3 * i + 1], out[3 * i + 2]);
  }
}

__global__ void values(double* out) {
  cudaGridDependencySynchronize();
  __builtin_assume(out != nullptr);
  const cuda::std::array<int, 3> numbers{1, 2, 3};
  const auto pair = cuda::std::make_tuple(4, 5.5f);
  const double4_32a wide = make_double4_32a(1, 2, 3, 4);
  const float vector[] = {3, 4, 12};
  const cuDoubleComplex quotient =
      cuCdiv(make_cuDoubleComplex(-1e200, 7e200), make_cuDoubleComplex(1e200, 2e200));
  const cuFloatComplex product = cuCmulf(make_cuComplex(1, 2), cuConjf(make_cuComplex(3, 4)));
  int i = 0;
  out[i++] = numbers[2] + numbers.size();
  out[i++] = cuda::std::get<1>(pair);
  out[i++] = wide.w + alignof(double4_32a) + alignof(double4_16a);
  out[i++] = normf(3, vector) + rnormf(1, vector) * 3;
  out[i++] = cuCreal(quotient) + 10 * cuCimag(quotient);
  out[i++] = cuCrealf(product) + 100 * cuCimagf(product);
  out[i++] = cuCabs(make_cuDoubleComplex(3e200, 4e200)) / 1e200;
  out[i++] = cuda::ceil_div(7, 3) + 10 * cuda::round_up(7, 4);
  out[i++] = __vimax3_s32(-1, 7, 3) + __viaddmin_s32(1, 2, 9) + __vimax_s32_relu(-5, -3);
  out[i++] = CUDART_PI + (CUDART_INF_F > CUDART_MAX_NORMAL_F) + (CUDART_NAN != CUDART_NAN);
  cudaTriggerProgrammaticLaunchCompletion();
}

#define SAY(call) std::printf("%s: %s\n", #call, cudaGetErrorName(call))

void calls() {
  cudaStream_t stream;
  int priority = 1, device = 1;
  unsigned flags = 9;
  unsigned long long id = 0, other = 0;
  SAY(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, -99));
  SAY(cudaStreamGetPriority(stream, &priority));
  SAY(cudaStreamGetFlags(stream, &flags));
  SAY(cudaStreamGetDevice(stream, &device));
  cudaStreamGetId(stream, &id);
  cudaStreamGetId(nullptr, &other);
  std::printf("priority %d, flags %u, device %d, own id %d\n", priority, flags, device,
              id != other);
  const char* name = nullptr;
  SAY(cudaFuncGetName(&name, reinterpret_cast<const void*>(values)));
  std::printf("%s\n", name);
  cudaMemPool_t pool;
  const cudaMemAccessDesc access{{cudaMemLocationTypeDevice, 0}, cudaMemAccessFlagsProtReadWrite};
  cudaDeviceGetDefaultMemPool(&pool, 0);
  SAY(cudaMemPoolSetAccess(pool, &access, 1));
  SAY(cudaProfilerStart());

  cudaArray_t from, to;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
  cudaMallocArray(&from, &format, 4, 2);
  cudaMallocArray(&to, &format, 4, 2);
  int host[8] = {0, 1, 2, 3, 4, 5, 6, 7}, back[5] = {};
  cudaMemcpy2DToArray(from, 0, 0, host, 16, 16, 2, cudaMemcpyHostToDevice);
  SAY(cudaMemcpy2DArrayToArray(to, 0, 0, from, 0, 0, 16, 2));
  SAY(cudaMemcpyFromArray(back, to, 4, 0, sizeof back, cudaMemcpyDeviceToHost));
  std::printf("array %d ... %d\n", back[0], back[4]);
  SAY(cudaMemcpyFromArray(back, to, 0, 1, sizeof back, cudaMemcpyDeviceToHost));
}

int main() {
  NVTX3_FUNC_RANGE();
  const int outer = nvtxRangePush("outer"), inner = nvtxRangePush("inner");
  nvtxRangePop();
  std::printf("ranges %d %d\n", outer, inner);
  try_casts<float>("float");
  try_casts<double>("double");
  double* out;
  cudaMallocManaged(&out, 10 * sizeof *out);
  values<<<1, 1>>>(out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 10; ++i) std::printf("%.6g%c", out[i], i == 9 ? '\n' : ' ');
  calls();
}
