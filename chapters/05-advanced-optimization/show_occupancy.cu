// Shows how many blocks of a kernel fit on a multiprocessor: what the runtime says of this device, and what
// the toolkit's own formulas say of devices that are not here.
#include <cstdio>

#include "coalesce/device.hpp"
#include "coalesce/launch.hpp"
#include "steps.hpp"
#ifndef __CPU_DEVICE__
#include <cuda_occupancy.h>
#endif

namespace chapter05 {
namespace {

// [kernel]
template <int SharedInts>
__global__ void reverse_kernel(int* values) {
  __shared__ int copy[SharedInts];
  copy[threadIdx.x] = values[threadIdx.x];
  __syncthreads();
  values[threadIdx.x] = copy[blockDim.x - 1 - threadIdx.x];
}
// [/kernel]

// [here]
template <int SharedInts>
void on_this_device(int threads, int threads_per_sm) {
  int blocks = 0;
  COALESCE_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, reverse_kernel<SharedInts>,
                                                               threads, 0));
  std::printf("%5d threads, %5d bytes shared: %2d blocks, %4d of %d threads\n", threads,
              4 * SharedInts, blocks, blocks * threads, threads_per_sm);
}
// [/here]

#ifndef __CPU_DEVICE__
// [elsewhere]
void on_other_devices(int threads, int registers) {
  struct {
    int major, minor, threads, shared_kib;
  } const devices[] = {{7, 5, 1024, 64},
                       {8, 0, 2048, 164},
                       {8, 6, 1536, 100},
                       {9, 0, 2048, 228},
                       {12, 0, 1536, 100}};
  for (const auto& d : devices) {
    cudaOccDeviceProp device;
    device.computeMajor = d.major;
    device.computeMinor = d.minor;
    device.maxThreadsPerBlock = 1024;
    device.maxThreadsPerMultiprocessor = d.threads;
    device.regsPerBlock = device.regsPerMultiprocessor = 65536;
    device.warpSize = 32;
    device.numSms = 1;  // any number but 0: what follows is about one of them
    device.sharedMemPerBlock = 48 << 10;
    device.sharedMemPerMultiprocessor = device.sharedMemPerBlockOptin =
        static_cast<std::size_t>(d.shared_kib) << 10;
    device.reservedSharedMemPerBlock = d.major >= 8 ? 1024 : 0;
    cudaOccFuncAttributes kernel;
    kernel.maxThreadsPerBlock = 1024;
    kernel.numRegs = registers;
    kernel.numBlockBarriers = 1;
    const cudaOccDeviceState state;
    cudaOccResult found;
    if (cudaOccMaxActiveBlocksPerMultiprocessor(&found, &device, &kernel, &state, threads, 0) !=
        CUDA_OCC_SUCCESS)
      throw coalesce::launch_error("cuda_occupancy.h refused the device");
    const int blocks = found.activeBlocksPerMultiprocessor;
    std::printf("%5d threads, %3d registers, on %2d.%d: %d blocks, %4d of %4d threads: %s\n",
                threads, registers, d.major, d.minor, blocks, blocks * threads, d.threads,
                found.limitingFactors & OCC_LIMIT_REGISTERS ? "registers" : "threads");
  }
}
// [/elsewhere]
#endif

}  // namespace

int occupancy(std::int64_t) {
#ifdef __CPU_DEVICE__
  std::printf("The CPU device knows no registers: this step needs a GPU.\n");
#else
  const int most = coalesce::current_device_facts().max_threads_per_sm;
  on_this_device<1024>(32, most);
  on_this_device<1024>(256, most);
  on_this_device<1024>(768, most);
  on_this_device<1024>(1024, most);
  on_this_device<8192>(256, most);
  on_other_devices(256, 40);
  on_other_devices(256, 64);
#endif
  return 0;
}

}  // namespace chapter05
