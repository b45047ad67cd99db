#include "coalesce/kernels.hpp"

#include "coalesce/index.hpp"

namespace coalesce_test {

// Not in the unnamed namespace: clang warns there of an extern array that nobody defines.
__global__ void shared_kernel(int* out, int bytes) {
  extern __shared__ unsigned char tile[];
  for (int i = static_cast<int>(threadIdx.x); i < bytes; i += static_cast<int>(blockDim.x))
    tile[i] = static_cast<unsigned char>(i % 251);
  __syncthreads();
  if (threadIdx.x == 0) *out = tile[bytes - 1] + 1;
}

namespace {

using coalesce::global_index_x;
using coalesce::grid_for;
using coalesce::launch;

template <class T>
__global__ void fill_kernel(T* out, std::int64_t n, T value) {
  const std::int64_t i = global_index_x();
  if (i < n) out[i] = value;
}

__global__ void touch_kernel(int* flag) {
  if (blockIdx.x == 0 && blockIdx.y == 0 && threadIdx.x == 0 && threadIdx.y == 0) *flag = 1;
}

__global__ void last_index_kernel(std::int64_t* out) {
  if (blockIdx.x != gridDim.x - 1 || threadIdx.x != blockDim.x - 1) return;
  out[0] = static_cast<std::int64_t>(blockIdx.x * blockDim.x + threadIdx.x);
  out[1] = global_index_x();
}

__global__ void trap_kernel() {
#ifndef __CPU_DEVICE__
  __trap();
#endif
}

__global__ void work_kernel(float* out, int steps) {
  float x = static_cast<float>(threadIdx.x);
  for (int s = 0; s < steps; ++s) x = x * 0.999f + 1.0f;
  if (x < 0) *out = x;
}

}  // namespace

void fill(int* d_out, std::int64_t n, int value, cudaStream_t stream) {
  launch(fill_kernel<int>, {grid_for(n, 256), 256, 0, stream}, d_out, n, value);
}

void fill_all_but_last(float* d_out, std::int64_t n, float value) {
  launch(fill_kernel<float>, {grid_for(n, 256), 256}, d_out, n - 1, value);
}

void touch(int* d_flag, const coalesce::launch_shape& shape) {
  launch(touch_kernel, shape, d_flag);
}

const void* touch_address() {
  return reinterpret_cast<const void*>(touch_kernel);
}

void use_dynamic_shared(int* d_out, std::size_t bytes) {
  launch(shared_kernel, {1, 128, bytes}, d_out, static_cast<int>(bytes));
}

void last_indices(std::int64_t* d_out) {
  launch(last_index_kernel, {(1u << 22) + 1u, 1024}, d_out);
}

void trap_unchecked() {
  trap_kernel<<<1, 1>>>();
}

void work(float* d_out, int steps, cudaStream_t stream) {
  launch(work_kernel, {264, 256, 0, stream}, d_out, steps);
}

}  // namespace coalesce_test
