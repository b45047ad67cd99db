// What tiles of several warps order, and who must come to their operations.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "cases.h"

namespace cg = cooperative_groups;

__global__ void rotate(int* out, bool right) {
  __shared__ int s[128];
  const auto tile = cg::tiled_partition<64>(cg::this_thread_block());
  const unsigned t = threadIdx.x, first = t / 64 * 64;
  s[t] = static_cast<int>(t);  // LINE rotate_store
  if (right) tile.sync();
  out[t] = s[first + (t + 32) % 64];  // LINE rotate_load
}

__global__ void foreign_tile(int* out, bool right) {
  __shared__ int s[256];
  const auto block = cg::this_thread_block();
  const auto half = cg::tiled_partition<128>(block);
  const auto tile = cg::tiled_partition<64>(block);
  const unsigned t = threadIdx.x;
  s[t] = static_cast<int>(t);  // LINE foreign_store
  tile.sync();
  if (right) half.sync();
  out[t] = s[t ^ 1];    // of the same warp, ordered in any case
  out[t] += s[t ^ 64];  // LINE foreign_load
}

// Between the reads of one round and the stores of the next a meeting is needed as well.
__global__ void rounds(int* out, bool right) {
  __shared__ int s[128];
  const auto tile = cg::tiled_partition<64>(cg::this_thread_block());
  const unsigned t = threadIdx.x;
  for (int round = 0; round < 3; ++round) {
    s[t] = round;  // LINE round_store
    const int sum = cg::reduce(tile, s[t], cg::plus<int>());
    out[t] += sum + s[t ^ 32];  // LINE round_load
    if (right) tile.sync();
  }
}

// A partition waits for all threads, but that is no promise.
__global__ void partition(int* out, bool right) {
  __shared__ int s[128];
  s[threadIdx.x] = 1;  // LINE partition_store
  if (right) __syncthreads();
  const auto tile = cg::tiled_partition<64>(cg::this_thread_block());
  out[threadIdx.x] = s[threadIdx.x ^ 32] + static_cast<int>(tile.size());  // LINE partition_load
}

__global__ void one_warp_comes(int* out, bool right) {
  const auto tile = cg::tiled_partition<64>(cg::this_thread_block());
  if (right || threadIdx.x < 32) {
    tile.sync();  // LINE comes
  } else {
    __syncthreads();  // LINE stays_away
  }
  *out = 1;
}

__global__ void warp_has_left(int* out, bool right) {
  const auto tile = cg::tiled_partition<64>(cg::this_thread_block());
  if (!right && threadIdx.x >= 96) return;
  *out = tile.any(0);  // LINE remain
}

__global__ void partition_in_branch(int* out, bool right) {
  const auto block = cg::this_thread_block();
  if (right || threadIdx.x < 64) {
    *out = static_cast<int>(cg::tiled_partition<64>(block).size());  // LINE partition_in_branch
  } else {
    __syncthreads();  // LINE beside_branch
  }
}

__global__ void rank_too_large(int* out, bool right) {
  const auto tile = cg::tiled_partition<64>(cg::this_thread_block());
  out[threadIdx.x] = tile.shfl(static_cast<int>(threadIdx.x), right ? 63 : 64);  // LINE rank
}

/// Block 0 writes; one thread of each group says so. Who fences: each writer before they meet, or
/// that one thread afterwards.
template <unsigned Size>
__global__ void message(int* data, int* ready, int* out, bool writers_fence, bool right) {
  const auto group = cg::tiled_partition<Size>(cg::this_thread_block());
  const unsigned t = threadIdx.x;
  if (blockIdx.x == 0) {
    data[t] = 1;  // LINE handed_over
    if (right && writers_fence) __threadfence();
    group.sync();
    if (group.thread_rank() == 0) {
      if (right && !writers_fence) __threadfence();
      atomicAdd(ready, 1);
    }
  } else {
    if (t == 0) {
      while (atomicAdd(ready, 0) < static_cast<int>(128 / Size)) {
      }
      __threadfence();
    }
    __syncthreads();
    out[t] = data[t ^ 1];  // LINE taken_over
  }
}

// What one thread has taken over, its tile knows after it has met.
__global__ void passed_on(int* data, int* ready, int* out, bool right) {
  const auto tile = cg::tiled_partition<64>(cg::this_thread_block());
  if (blockIdx.x == 0) {
    if (threadIdx.x == 0) {
      *data = 1;  // LINE passed_store
      __threadfence();
      atomicExch(ready, 1);
    }
    return;
  }
  if (threadIdx.x == 0) {
    while (atomicAdd(ready, 0) == 0) {
    }
    __threadfence();
  }
  tile.sync();
  out[threadIdx.x] = threadIdx.x < 64 || !right ? *data : 0;  // LINE passed_load
}

void inside(bool right) {
  rotate<<<1, 128>>>(Array<int>(128), right);
}
void across(bool right) {
  foreign_tile<<<1, 256>>>(Array<int>(256), right);
}
void next_round(bool right) {
  rounds<<<1, 128>>>(Array<int>(128), right);
}
void made(bool right) {
  partition<<<1, 128>>>(Array<int>(128), right);
}
void deadlock(bool right) {
  one_warp_comes<<<1, 64>>>(Array<int>(1), right);
}
void left(bool right) {
  warp_has_left<<<1, 128>>>(Array<int>(1), right);
}
void branch(bool right) {
  partition_in_branch<<<1, 128>>>(Array<int>(1), right);
}
void lost(bool right) {
  rank_too_large<<<1, 128>>>(Array<int>(128), right);
}
template <unsigned Size>
void fences(bool right) {
  for (const bool writers_fence : {true, false}) {
    Array<int> data(128), ready(1), out(128);
    message<Size><<<2, 128>>>(data, ready, out, writers_fence, right);
  }
}
void taken(bool right) {
  Array<int> data(1), ready(1), out(128);
  passed_on<<<2, 128>>>(data, ready, out, right);
}

int main(int argc, char** argv) {
  const Case cases[] = {{"inside", inside},
                        {"across", across},
                        {"next_round", next_round},
                        {"made", made},
                        {"deadlock", deadlock},
                        {"left", left},
                        {"branch", branch},
                        {"lost", lost},
                        {"fences_warp", fences<32>},
                        {"fences_tile", fences<64>},
                        {"taken", taken}};
  return run_case(argc, argv, cases);
}
