// Asynchronous copies within a kernel, barrier objects and pipelines. Prints "ok NAME" a check.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>

#include <cstdio>
#include <cstring>
#include <cuda/barrier>
#include <cuda/pipeline>

namespace cg = cooperative_groups;
using block_barrier = cuda::barrier<cuda::thread_scope_block>;

constexpr int kThreads = 64, kBatches = 5;

__global__ void primitives(const float4* in, float* bad) {
  __shared__ float4 tile[2][kThreads];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&tile[0][t], &in[t], sizeof(float4));  // LINE primitives
  __pipeline_commit();
  __pipeline_memcpy_async(&tile[1][t], &in[t], sizeof(float4), 8);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  const int other = kThreads - 1 - t;
  if (tile[0][other].w != in[other].w || tile[1][other].y != in[other].y) *bad = 1;
  if (tile[1][other].z != 0 || tile[1][other].w != 0) *bad = 1;
}

__global__ void groups(const float4* in, float* bad) {
  __shared__ float tile[4 * kThreads + 1];
  const auto block = cg::this_thread_block();
  cg::memcpy_async(block, tile, reinterpret_cast<const float*>(in), sizeof(float) * 4 * kThreads);
  cg::wait(block);
  const int i = (threadIdx.x * 4 + 130) % (4 * kThreads);
  if (tile[i] != reinterpret_cast<const float*>(in)[i]) *bad = 1;
  block.sync();
  const auto warp = cg::tiled_partition<32>(block);
  char* bytes = reinterpret_cast<char*>(tile);
  if (warp.meta_group_rank() == 0) {
    cg::memcpy_async(warp, bytes + 1, reinterpret_cast<const char*>(in) + 3, 37);
    cg::wait(warp);
    const char* source = reinterpret_cast<const char*>(in) + 3;
    for (int byte = warp.thread_rank(); byte < 37; byte += warp.size()) {
      if (bytes[1 + byte] != source[byte]) *bad = 1;
    }
  }
}

/// Warp 0 fills, warp 1 sums: each waits for the other through a barrier object.
__global__ void hand_over(const float4* in, float* bad) {
  __shared__ float tile[32];
  __shared__ block_barrier full, empty;
  if (threadIdx.x == 0) {
    init(&full, kThreads);
    init(&empty, kThreads);
  }
  __syncthreads();
  const int lane = threadIdx.x % 32;
  for (int batch = 0; batch < kBatches; ++batch) {
    if (threadIdx.x < 32) {
      if (batch) empty.arrive_and_wait();
      tile[lane] = in[lane].x + batch;
      (void)full.arrive();
    } else {
      full.arrive_and_wait();
      if (tile[31 - lane] != in[31 - lane].x + batch) *bad = 1;
      if (batch + 1 < kBatches) (void)empty.arrive();
    }
  }
}

__global__ void tokens(float* bad) {
  __shared__ block_barrier barrier;
  __shared__ int value;
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  if (threadIdx.x == 5) value = 17;
  block_barrier::arrival_token token = barrier.arrive();
  barrier.wait(static_cast<block_barrier::arrival_token&&>(token));
  if (value != 17) *bad = 1;
  if (threadIdx.x >= 32) {
    barrier.arrive_and_drop();
    return;
  }
  barrier.arrive_and_wait();
  barrier.arrive_and_wait();  // 32 threads are enough now
}

/// All threads produce and consume, two stages.
__global__ void unified(const float4* in, float* bad) {
  __shared__ float tile[2][kThreads];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  const auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  const float* source = reinterpret_cast<const float*>(in);
  for (int fetched = 0, batch = 0; batch < kBatches; ++batch) {
    for (; fetched < kBatches && fetched < batch + 2; ++fetched) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, tile[fetched % 2], source + fetched * 32, sizeof(float) * kThreads,
                         pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    const int i = (threadIdx.x + 33) % kThreads;
    if (tile[batch % 2][i] != source[batch * 32 + i]) *bad = 1;
    pipe.consumer_release();
  }
}

/// One warp produces for the other, by number or by role.
template <bool ByRole>
__global__ void specialised(const float4* in, float* bad) {
  __shared__ float tile[2][32];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  const auto block = cg::this_thread_block();
  const bool producer = threadIdx.x < 32;
  const auto role = producer ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
  auto pipe = ByRole ? cuda::make_pipeline(block, &state, role)
                     : cuda::make_pipeline(block, &state, size_t{32});
  const float* source = reinterpret_cast<const float*>(in);
  const int lane = threadIdx.x % 32;
  for (int batch = 0; batch < kBatches; ++batch) {
    if (producer) {
      pipe.producer_acquire();
      cuda::memcpy_async(&tile[batch % 2][lane], source + batch * 32 + lane, sizeof(float), pipe);
      pipe.producer_commit();
    } else {
      pipe.consumer_wait();
      if (tile[batch % 2][31 - lane] != source[batch * 32 + 31 - lane]) *bad = 1;
      pipe.consumer_release();
    }
  }
}

__global__ void single(const float4* in, float* bad) {
  __shared__ alignas(16) float tile[3][4 * kThreads];
  auto pipe = cuda::make_pipeline();
  float* mine = &tile[0][4 * threadIdx.x];
  for (int stage = 0; stage < 3; ++stage) {
    pipe.producer_acquire();
    cuda::memcpy_async(mine + stage * 4 * kThreads, &in[threadIdx.x].x,
                       cuda::aligned_size_t<16>(16), pipe);
    pipe.producer_commit();
  }
  cuda::pipeline_consumer_wait_prior<2>(pipe);
  if (mine[3] != in[threadIdx.x].w) *bad = 1;
  pipe.consumer_release();
}

/// Never completes: one thread does not arrive.
__global__ void incomplete(float* bad) {
  __shared__ block_barrier barrier;
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  if (threadIdx.x != 3) barrier.arrive_and_wait();  // LINE incomplete
  *bad = 0;
}

/// A barrier object in global memory, for two blocks.
__global__ void across(cuda::barrier<cuda::thread_scope_device>* barrier, float* seen, float* bad) {
  if (threadIdx.x == 0) seen[blockIdx.x] = 1;
  barrier->arrive_and_wait();
  if (seen[1 - blockIdx.x] != 1) *bad = 1;
}
__global__ void prepare(cuda::barrier<cuda::thread_scope_device>* barrier) {
  init(barrier, 2 * kThreads);
}

#define CHECK(name, ...)                                                         \
  do {                                                                           \
    *bad = 0;                                                                    \
    __VA_ARGS__;                                                                 \
    const cudaError_t error = cudaDeviceSynchronize();                           \
    printf("%s %s\n", *bad != 0 || error != cudaSuccess ? "wrong" : "ok", name); \
  } while (0)

int main(int argc, char** argv) {
  float4* in;
  float* bad;
  cudaMallocManaged(&in, kThreads * sizeof *in);
  cudaMallocManaged(&bad, 64);
  for (int i = 0; i < 4 * kThreads; ++i) reinterpret_cast<float*>(in)[i] = 1.0f + i;
  if (argc > 1 && !strcmp(argv[1], "incomplete")) {
    incomplete<<<1, kThreads>>>(bad);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
  }
  CHECK("primitives", (primitives<<<1, kThreads>>>(in, bad)));
  CHECK("groups", (groups<<<1, kThreads>>>(in, bad)));
  CHECK("hand_over", (hand_over<<<1, kThreads>>>(in, bad)));
  CHECK("tokens", (tokens<<<1, kThreads>>>(bad)));
  CHECK("unified", (unified<<<1, kThreads>>>(in, bad)));
  CHECK("specialised", (specialised<false><<<1, kThreads>>>(in, bad)));
  CHECK("specialised by role", (specialised<true><<<1, kThreads>>>(in, bad)));
  CHECK("single", (single<<<1, kThreads>>>(in, bad)));
  cuda::barrier<cuda::thread_scope_device>* barrier;
  cudaMalloc(&barrier, sizeof *barrier);
  prepare<<<1, 1>>>(barrier);
  CHECK("across", (across<<<2, kThreads>>>(barrier, bad + 1, bad)));
}
