// Shows what comes back from launches at a limit, and over it.
#include <cstdio>

#include "coalesce/device_buffer.hpp"
#include "coalesce/error.hpp"
#include "matrix_add.hpp"

namespace chapter04 {
namespace {

__global__ void nothing_kernel() {}

/// Holds 200 values at once that depend on all of each other, so that a thread needs very many registers.
__global__ void registers_kernel(const float* in, float* out) {
  float x[200];
#pragma unroll
  for (int i = 0; i < 200; ++i) x[i] = in[i * 1024 + threadIdx.x];
#pragma unroll
  for (int k = 0; k < 3; ++k)
#pragma unroll
    for (int i = 0; i < 200; ++i) x[i] = x[i] * x[(i + 67) % 200] + x[(i + 131) % 200];
#pragma unroll
  for (int i = 0; i < 200; ++i) out[i * 1024 + threadIdx.x] = x[i];
}

/// Prints what a call or a launch left behind, and forgets it.
void say(const char* what, cudaError_t code) {
  (void)cudaGetLastError();
  std::printf("%-44s %s\n", what, cudaGetErrorName(code));
}

void launch(const char* what, dim3 grid, dim3 block) {
  // [launch]
  nothing_kernel<<<grid, block>>>();
  say(what, cudaGetLastError());
  // [/launch]
  COALESCE_CHECK(cudaDeviceSynchronize());
}

}  // namespace

int launch_limits(std::int64_t) {
  launch("1024 threads", 1, 1024);
  launch("1025 threads", 1, 1025);
  launch("32 x 64 threads", 1, dim3(32, 64));
  launch("block z of 64", 1, dim3(1, 1, 64));
  launch("block z of 65", 1, dim3(1, 1, 65));
  launch("no threads", 1, 0);
  launch("no blocks", 0, 1);
  launch("grid y of 65535", dim3(1, 65535), 1);
  launch("grid y of 65536", dim3(1, 65536), 1);
  launch("grid z of 65536", dim3(1, 1, 65536), 1);
  launch("grid x of 65536", dim3(65536), 1);
  launch("grid x of 2147483648", dim3(2147483648u), 1);

  // [registers]
  cudaFuncAttributes facts{};
  COALESCE_CHECK(cudaFuncGetAttributes(&facts, registers_kernel));
  std::printf("a kernel of %d registers: %d threads at most\n", facts.numRegs,
              facts.maxThreadsPerBlock);
  coalesce::device_buffer<float> d_values(200 * 1024);
  d_values.fill_bytes(0);
  registers_kernel<<<1, 1024>>>(d_values.data(), d_values.data());
  // [/registers]
  say("1024 threads of it", cudaGetLastError());

  // [shared]
  int most = 0;
  COALESCE_CHECK(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
  const auto ask_for = [](int bytes) {
    return cudaFuncSetAttribute(nothing_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  };
  nothing_kernel<<<1, 32, 48 << 10>>>();
  say("48 KiB of dynamic shared memory", cudaGetLastError());
  nothing_kernel<<<1, 32, 49 << 10>>>();
  say("49 KiB, not asked for", cudaGetLastError());
  say("asking for the most there is", ask_for(most));
  nothing_kernel<<<1, 32, static_cast<std::size_t>(most)>>>();
  say("the most there is, asked for", cudaGetLastError());
  say("asking for a byte more", ask_for(most + 1));
  // [/shared]
  COALESCE_CHECK(cudaDeviceSynchronize());
  return 0;
}

}  // namespace chapter04
