// Tiles of several warps. Prints "ok NAME" a check.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <cstdio>

namespace cg = cooperative_groups;

template <unsigned Size, class Group>
__device__ void check_tile(const Group& parent, unsigned parent_size, int* bad) {
  const auto tile = cg::tiled_partition<Size>(parent);
  const unsigned thread = threadIdx.x, rank = thread % Size, first = thread - rank;
  if (tile.size() != Size || tile.num_threads() != Size) atomicAdd(bad, 1);
  if (tile.thread_rank() != rank) atomicAdd(bad, 1);
  if (tile.meta_group_size() != parent_size / Size) atomicAdd(bad, 1);
  if (tile.meta_group_rank() != thread % parent_size / Size) atomicAdd(bad, 1);
  const cg::thread_block_tile<Size> anonymous = tile;
  if (anonymous.meta_group_size() != parent_size / Size) atomicAdd(bad, 1);

  if (tile.shfl(thread, Size - 1) != first + Size - 1) atomicAdd(bad, 1);
  if (tile.shfl(0.5 * thread, 7) != 0.5 * (first + 7)) atomicAdd(bad, 1);
  const bool mine = first == Size;  // the second tile alone
  if (tile.any(mine && rank == 40) != mine || tile.any(0)) atomicAdd(bad, 1);
  if (tile.all(!mine || rank != 40) != !mine || !tile.all(1)) atomicAdd(bad, 1);

  const unsigned sum = Size * first + Size * (Size - 1) / 2;
  if (cg::reduce(tile, thread, cg::plus<unsigned>()) != sum) atomicAdd(bad, 1);
  if (cg::reduce(tile, static_cast<float>(thread), cg::greater<float>()) != first + Size - 1) {
    atomicAdd(bad, 1);
  }
  if (cg::inclusive_scan(tile, thread) != (rank + 1) * first + rank * (rank + 1) / 2) {
    atomicAdd(bad, 1);
  }
  if (cg::exclusive_scan(tile, 2u, cg::plus<unsigned>()) != 2 * rank) atomicAdd(bad, 1);
  if (cg::invoke_one_broadcast(tile, [=] { return thread; }) != first) atomicAdd(bad, 1);
}

template <unsigned Size>
__global__ void tiles(int* bad) {
  __shared__ cg::block_tile_memory<1024> memory;
  const cg::thread_block block = cg::this_thread_block(memory);
  check_tile<Size>(block, blockDim.x, bad);
}

__global__ void parts_of_tiles(int* bad) {
  __shared__ cg::block_tile_memory<> memory;
  const auto half = cg::tiled_partition<512>(cg::this_thread_block(memory));
  check_tile<128>(half, 512, bad);
  const auto warp = cg::tiled_partition<32>(cg::tiled_partition<64>(half));
  if (warp.meta_group_size() != 2 || warp.meta_group_rank() != threadIdx.x / 32 % 2) {
    atomicAdd(bad, 1);
  }
}

// Each tile has its own number of rounds; nobody else waits for it.
__global__ void on_their_own(int* bad) {
  __shared__ int s[256];
  const auto tile = cg::tiled_partition<64>(cg::this_thread_block());
  const unsigned t = threadIdx.x, partner = t / 64 * 64 + (t + 33) % 64;
  s[t] = 0;
  for (unsigned round = 0; round <= tile.meta_group_rank(); ++round) {
    tile.sync();
    const int next = s[partner] + 1;
    tile.sync();
    s[t] = next;
  }
  if (s[t] != static_cast<int>(t / 64 + 1)) atomicAdd(bad, 1);
}

// The last warp has eight threads, and of another one a part has left.
__global__ void part_filled(int* bad) {
  const auto tile = cg::tiled_partition<64>(cg::this_thread_block());
  if (threadIdx.x >= 44 && threadIdx.x < 64) return;
  if (cg::this_thread_block().size() != 104 || tile.meta_group_size() != 2) atomicAdd(bad, 1);
  if (tile.any(threadIdx.x == 43) != (threadIdx.x < 64)) atomicAdd(bad, 1);
}

__global__ void copies(int* bad) {
  __shared__ int from[128], to[128];
  const auto tile = cg::tiled_partition<64>(cg::this_thread_block());
  const unsigned first = tile.meta_group_rank() * 64;
  from[threadIdx.x] = static_cast<int>(threadIdx.x);
  tile.sync();
  cg::memcpy_async(tile, to + first, from + first, 64 * sizeof(int));
  cg::wait(tile);
  if (to[threadIdx.x ^ 32] != static_cast<int>(threadIdx.x ^ 32)) atomicAdd(bad, 1);
}

#define CHECK(kernel, threads)                                                 \
  do {                                                                         \
    *bad = 0;                                                                  \
    kernel<<<2, threads>>>(bad);                                               \
    const cudaError_t error = cudaDeviceSynchronize();                         \
    printf("%s %s\n", *bad || error != cudaSuccess ? "wrong" : "ok", #kernel); \
  } while (0)

int main() {
  int* bad;
  cudaMallocManaged(&bad, sizeof *bad);
  CHECK(tiles<64>, 256);
  CHECK(tiles<128>, 256);
  CHECK(tiles<256>, 512);
  CHECK(tiles<512>, 1024);
  CHECK(tiles<1024>, 1024);
  CHECK(parts_of_tiles, 1024);
  CHECK(on_their_own, 256);
  CHECK(part_filled, 104);
  CHECK(copies, 128);
  cudaFree(bad);
}
