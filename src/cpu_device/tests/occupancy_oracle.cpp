// Compares runtime/occupancy.cpp with NVIDIA's own calculation (cuda_occupancy.h of a toolkit),
// over GPUs, block sizes, registers, shared memory and carve-outs. Prints how many agree.
#include "../runtime/occupancy.h"

#include <cuda_occupancy.h>

#include <cstdio>

using namespace cpu_device;

static cudaOccDeviceProp properties_of(const Gpu& gpu) {
  cudaOccDeviceProp p;
  p.computeMajor = gpu.major;
  p.computeMinor = gpu.minor;
  p.maxThreadsPerBlock = gpu.max_threads_per_block;
  p.maxThreadsPerMultiprocessor = gpu.threads_per_multiprocessor;
  p.regsPerBlock = gpu.registers_per_block;
  p.regsPerMultiprocessor = gpu.registers_per_multiprocessor;
  p.warpSize = 32;
  p.sharedMemPerBlock = static_cast<size_t>(gpu.shared_per_block);
  p.sharedMemPerMultiprocessor = static_cast<size_t>(gpu.shared_per_multiprocessor);
  p.numSms = gpu.multiprocessors;
  p.sharedMemPerBlockOptin = static_cast<size_t>(gpu.shared_per_block_optin);
  p.reservedSharedMemPerBlock = static_cast<size_t>(gpu.reserved_shared);
  return p;
}

int main() {
  long compared = 0, different = 0;
  for (const char* name : {"h200", "rtx4090", "t4"}) {
    const Gpu& gpu = *find_gpu(name);
    const cudaOccDeviceProp properties = properties_of(gpu);
    for (int threads = 1; threads <= 1024; threads += threads < 64 ? 31 : 48) {
      for (const int registers : {16, 32, 40, 64, 96, 128, 200, 255}) {
        for (const size_t fixed : {0u, 100u, 4096u, 20000u, 49152u}) {
          for (const int carveout : {-1, 0, 10, 25, 50, 75, 100}) {
            for (const size_t opt_in : {0u, 30000u, 60000u, 99000u}) {
              for (const size_t dynamic : {0u, 1000u, 16384u, 50000u, 90000u}) {
                if (fixed + opt_in > static_cast<size_t>(gpu.shared_per_block_optin)) continue;
                Needs needs;
                needs.max_threads = gpu.max_threads_per_block;
                needs.registers = registers;
                needs.static_shared = fixed;
                needs.opted_in = opt_in != 0;
                needs.max_dynamic_shared =
                    opt_in ? opt_in : static_cast<size_t>(gpu.shared_per_block) - fixed;
                needs.carveout = carveout;
                cudaOccFuncAttributes f;
                f.maxThreadsPerBlock = needs.max_threads;
                f.numRegs = registers;
                f.sharedSizeBytes = fixed;
                f.partitionedGCConfig = PARTITIONED_GC_OFF;
                f.shmemLimitConfig = opt_in ? FUNC_SHMEM_LIMIT_OPTIN : FUNC_SHMEM_LIMIT_DEFAULT;
                f.maxDynamicSharedSizeBytes = needs.max_dynamic_shared;
                f.numBlockBarriers = 1;
                cudaOccDeviceState state;
                state.cacheConfig = CACHE_PREFER_NONE;
                state.carveoutConfig = carveout;
                cudaOccResult result;
                const bool good =
                    cudaOccMaxActiveBlocksPerMultiprocessor(&result, &properties, &f, &state,
                                                            threads, dynamic) == CUDA_OCC_SUCCESS;
                const int theirs = good ? result.activeBlocksPerMultiprocessor : 0;
                const int ours = resident_blocks(gpu, needs, threads, dynamic);
                size_t bytes = 0;
                const bool fits = theirs > 0 && cudaOccAvailableDynamicSMemPerBlock(
                                                    &bytes, &properties, &f, &state, theirs,
                                                    threads) == CUDA_OCC_SUCCESS;
                const long room = available_dynamic_shared(gpu, needs, theirs, threads);
                ++compared;
                if (ours == theirs && (!fits || room == static_cast<long>(bytes))) continue;
                if (++different < 5) {
                  std::printf(
                      "%s threads %d registers %d static %zu carve-out %d opt-in %zu "
                      "dynamic %zu: %d, not %d; %ld, not %zu\n",
                      name, threads, registers, fixed, carveout, opt_in, dynamic, ours, theirs,
                      room, bytes);
                }
              }
            }
          }
        }
      }
    }
  }
  std::printf("compared %ld, different %ld\n", compared, different);
  return different != 0;
}
