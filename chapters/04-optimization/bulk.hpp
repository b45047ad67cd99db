#pragma once

#include <cuda_runtime.h>

#include <cstdint>

// Bulk copies between device and shared memory, and the barrier in shared memory that counts their
// bytes: compute capability 9.0. One thread starts a copy, hardware does it, nobody's registers are used.
// Source: PTX ISA, chapters "Asynchronous Copy: cp.async.bulk" and "mbarrier".

#if defined(__CUDACC__) && !defined(__CPU_DEVICE__)

namespace chapter04::bulk {

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define CHAPTER04_BULK(...) asm volatile(__VA_ARGS__)
#else
#define CHAPTER04_BULK(...) __trap()  // no older GPU gets here: its steps are left out
#endif

using barrier = std::uint64_t;

__device__ inline unsigned shared_address(const void* pointer) {
  return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

/// Makes a barrier that one arrival and the bytes it announces complete; before anybody uses it.
__device__ inline void make(barrier* b) {
  CHAPTER04_BULK("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(b)) : "memory");
  CHAPTER04_BULK("fence.mbarrier_init.release.cluster;" :: : "memory");
}

/// The one arrival: so many bytes are to come.
__device__ inline void announce(barrier* b, unsigned bytes) {
  CHAPTER04_BULK("{ .reg .b64 s; mbarrier.arrive.expect_tx.shared::cta.b64 s, [%0], %1; }" ::"r"(
                     shared_address(b)),
                 "r"(bytes) : "memory");
}

/// Waits until phase number `phase` (0, 1, 2, …) of the barrier is complete.
__device__ inline void wait(barrier* b, unsigned phase) {
  unsigned done = 0;
  while (done == 0)
    CHAPTER04_BULK(
        "{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; "
        "selp.u32 %0, 1, 0, p; }" : "=r"(done) : "r"(shared_address(b)),
        "r"(phase & 1) : "memory");
}

// [load]
/// Starts a copy to shared memory. Addresses and bytes are multiples of 16. \param b counts the bytes
__device__ inline void load(float* to, const float* from, unsigned bytes, barrier* b) {
  CHAPTER04_BULK(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
      "[%0], [%1], %2, [%3];" ::"r"(shared_address(to)),
      "l"(from), "r"(bytes), "r"(shared_address(b)) : "memory");
}
// [/load]

#undef CHAPTER04_BULK

}  // namespace chapter04::bulk

#endif
