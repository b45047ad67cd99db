// Warp operations with full and partial masks, tiles, divergence. Prints "ok NAME" a check.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <cstdio>

namespace cg = cooperative_groups;

__global__ void shuffles(int* bad) {
  const int lane = threadIdx.x;
  const unsigned all = 0xffffffffu;
  if (__shfl_sync(all, lane * 10, 5) != 50) ++*bad;
  if (__shfl_up_sync(all, lane, 3) != (lane < 3 ? lane : lane - 3)) ++*bad;
  if (__shfl_down_sync(all, lane, 3) != (lane > 28 ? lane : lane + 3)) ++*bad;
  if (__shfl_xor_sync(all, lane, 16) != (lane ^ 16)) ++*bad;
  if (__shfl_sync(all, lane, 2, 8) != lane / 8 * 8 + 2) ++*bad;
  if (__shfl_down_sync(all, lane, 6, 8) != (lane % 8 < 2 ? lane + 6 : lane)) ++*bad;
  if (__shfl_sync(all, 0.5 * lane, 31) != 15.5) ++*bad;
}

__global__ void votes(int* bad) {
  const unsigned lane = threadIdx.x, all = 0xffffffffu;
  if (__ballot_sync(all, lane % 2) != 0xaaaaaaaau) ++*bad;
  if (!__any_sync(all, lane == 7) || __any_sync(all, lane == 40)) ++*bad;
  if (!__all_sync(all, lane < 32) || __all_sync(all, lane < 31)) ++*bad;
  if (__match_any_sync(all, lane / 8) != 0xffu << (lane / 8 * 8)) ++*bad;
  int same = -1;
  if (__match_all_sync(all, 3, &same) != all || same != 1) ++*bad;
  if (__match_all_sync(all, lane, &same) != 0 || same != 0) ++*bad;
  if (__reduce_add_sync(all, lane) != 496) ++*bad;
  if (__reduce_min_sync(all, -static_cast<int>(lane)) != -31) ++*bad;
  if (__reduce_max_sync(all, lane) != 31 || __reduce_xor_sync(all, lane) != 0) ++*bad;
}

__global__ void masks(int* bad) {
  const unsigned lane = threadIdx.x;
  if (lane % 2) {  // odd lanes, apart from the even ones
    if (__shfl_sync(0xaaaaaaaau, lane, 31) != 31) ++*bad;
    if (__ballot_sync(0xaaaaaaaau, 1) != 0xaaaaaaaau) ++*bad;
    if (__activemask() != 0xaaaaaaaau) ++*bad;
  } else if (lane < 16) {
    if (__reduce_add_sync(0x5555u, lane) != 56) ++*bad;
  }
  if (lane < 16) {  // masks that overlap: half of the lanes come to the second vote at once
    if (lane >= 8 && __ballot_sync(0xff00u, lane % 2) != 0xaa00u) ++*bad;
    if (__ballot_sync(0xffffu, lane % 2 == 0) != 0x5555u) ++*bad;
  }
  __syncwarp();
  if (__activemask() != 0xffffffffu) ++*bad;
}

__global__ void exited(int* bad) {
  if (threadIdx.x >= 20) return;  // gone: full masks are still complete
  if (__ballot_sync(0xffffffffu, 1) != 0xfffffu) ++*bad;
  __syncwarp();
}

__global__ void partial_block(int* bad) {  // 40 threads: the second warp has eight
  const unsigned mask = threadIdx.x < 32 ? 0xffffffffu : 0xffu;
  const unsigned expected = threadIdx.x < 32 ? 496 : 28;
  if (__reduce_add_sync(mask, threadIdx.x % 32) != expected) ++*bad;
}

__global__ void groups(int* bad) {
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<8>(block);
  const auto warp = cg::tiled_partition<32>(block);
  const int lane = threadIdx.x;
  if (cg::reduce(tile, lane, cg::plus<int>()) != lane / 8 * 64 + 28) ++*bad;
  if (cg::reduce(warp, lane, cg::greater<int>()) != 31) ++*bad;
  if (tile.ballot(lane % 8 == 3) != 8 || tile.shfl_xor(lane, 1) != (lane ^ 1)) ++*bad;
  if (cg::inclusive_scan(warp, 1, cg::plus<int>()) != lane + 1) ++*bad;
  if (lane % 3 == 0) {
    const auto together = cg::coalesced_threads();
    if (together.size() != 11 || together.thread_rank() != static_cast<unsigned>(lane / 3)) ++*bad;
    if (together.shfl(lane, 4) != 12) ++*bad;
    if (cg::reduce(together, lane, cg::plus<int>()) != 165) ++*bad;
  }
}

__global__ void parts(int* bad) {
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const auto quarter = cg::tiled_partition<8>(warp);
  const unsigned lane = threadIdx.x;
  if (quarter.meta_group_rank() != lane / 8 || quarter.meta_group_size() != 4) ++*bad;
  const auto labelled = cg::labeled_partition(warp, lane % 3);
  if (labelled.size() != (lane % 3 == 2 ? 10u : 11u) || labelled.thread_rank() != lane / 3) ++*bad;
  if (labelled.meta_group_rank() != lane % 3 || labelled.meta_group_size() != 3) ++*bad;
  if (cg::reduce(labelled, 1, cg::plus<int>()) != (lane % 3 == 2 ? 10 : 11)) ++*bad;
  const auto half = cg::binary_partition(warp, lane < 20);
  if (half.size() != (lane < 20 ? 20u : 12u)) ++*bad;
  if (cg::exclusive_scan(half, 1) != static_cast<int>(lane < 20 ? lane : lane - 20)) ++*bad;
  if (cg::inclusive_scan(quarter, 2) != static_cast<int>(2 * (lane % 8 + 1))) ++*bad;
  if (lane % 2) {
    const auto fours = cg::tiled_partition(cg::coalesced_threads(), 4);
    if (fours.size() != 4 || fours.meta_group_rank() != lane / 8) ++*bad;
  }
  warp.sync();
  const cg::thread_group any = cg::tiled_partition(block, 4);
  any.sync();
  if (any.size() != 4 || any.thread_rank() != lane % 4) ++*bad;
  const cg::thread_group whole = block;
  if (whole.size() != 32 || whole.thread_rank() != lane) ++*bad;
  if (cg::invoke_one_broadcast(quarter, [=] { return static_cast<int>(lane); }) !=
      static_cast<int>(lane / 8 * 8)) {
    ++*bad;
  }
  block.barrier_wait(block.barrier_arrive());
}

#define CHECK(kernel, threads)                                                 \
  do {                                                                         \
    *bad = 0;                                                                  \
    kernel<<<1, threads>>>(bad);                                               \
    const cudaError_t error = cudaDeviceSynchronize();                         \
    printf("%s %s\n", *bad || error != cudaSuccess ? "wrong" : "ok", #kernel); \
  } while (0)

int main() {
  int* bad;
  cudaMallocManaged(&bad, sizeof *bad);
  CHECK(shuffles, 32);
  CHECK(votes, 32);
  CHECK(masks, 32);
  CHECK(exited, 32);
  CHECK(partial_block, 40);
  CHECK(groups, 32);
  CHECK(parts, 32);
}
