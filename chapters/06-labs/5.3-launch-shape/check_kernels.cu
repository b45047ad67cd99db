// Kernels with different needs of shared memory, for the check of occupancy().
#include "check_kernels.hpp"

#include <cuda_runtime.h>

namespace lab53::check {
namespace {

template <int bytes>
__global__ void kernel_with_shared(char* out) {
  __shared__ char shared[bytes];
  shared[threadIdx.x % bytes] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = shared[bytes - 1 - threadIdx.x % bytes];
}

__global__ void kernel_without_shared(char* out) {
  out[threadIdx.x] = 0;
}

}  // namespace

std::array<const void*, 3> kernels() {
  return {reinterpret_cast<const void*>(kernel_without_shared),
          reinterpret_cast<const void*>(kernel_with_shared<1000>),
          reinterpret_cast<const void*>(kernel_with_shared<40000>)};
}

}  // namespace lab53::check
