// Asynchronous copies to shared memory: waits that are missing, too weak or too early.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>

#include <cuda/barrier>
#include <cuda/pipeline>

#include "cases.h"

namespace cg = cooperative_groups;

constexpr int kThreads = 64;

__global__ void primitives(const int* in, int* out, bool commit, bool wait, bool barrier) {
  __shared__ int tile[kThreads];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&tile[t], &in[t], sizeof(int));  // LINE primitive_copy
  if (commit) __pipeline_commit();
  if (wait) __pipeline_wait_prior(0);
  out[t] = tile[t];  // LINE primitive_own
  if (barrier) __syncthreads();
  out[t] += tile[(t + 32) % kThreads];  // LINE primitive_other
}

// Two stages: while one is used the next is filled.
__global__ void two_stages(const int* in, int* out, int rounds, int prior, int ahead) {
  __shared__ int stage[2][kThreads];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&stage[0][t], &in[t], sizeof(int));  // LINE first_copy
  __pipeline_commit();
  int sum = 0;
  for (int k = 0; k < rounds; ++k) {
    if (k + 1 < rounds) {
      int* const next = &stage[(k + ahead) % 2][t];
      __pipeline_memcpy_async(next, &in[(k + 1) * kThreads + t], sizeof(int));  // LINE stage_copy
    }
    __pipeline_commit();
    __pipeline_wait_prior(prior);
    __syncthreads();
    sum += stage[k % 2][kThreads - 1 - t];  // LINE stage_use
    __syncthreads();
  }
  out[t] = sum;
}

__global__ void changes_source(int* in, int* out, bool right) {
  __shared__ int tile[kThreads];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&tile[t], &in[t], sizeof(int));  // LINE source_copy
  __pipeline_commit();
  if (right) __pipeline_wait_prior(0);
  in[t] = 0;  // LINE source_change
  __pipeline_wait_prior(0);
  out[t] = tile[t];
}

__global__ void one_threads_pipeline(const int* in, int* out, bool right) {
  __shared__ int tile[kThreads];
  const int t = threadIdx.x;
  auto line = cuda::make_pipeline();
  line.producer_acquire();
  cuda::memcpy_async(&tile[t], &in[t], sizeof(int), line);  // LINE thread_copy
  line.producer_commit();
  if (right) line.consumer_wait();
  out[t] = tile[t];  // LINE thread_use
  line.consumer_release();
}

using Line = cuda::pipeline<cuda::thread_scope_block>;

__device__ void fill(Line& line, int* stage, const int* in) {
  const auto block = cg::this_thread_block();
  line.producer_acquire();
  cuda::memcpy_async(block, stage, in, kThreads * sizeof(int), line);  // LINE block_copy
  line.producer_commit();
}

__global__ void blocks_pipeline(const int* in, int* out, int rounds, bool wait, bool late) {
  constexpr int kStages = 2;
  __shared__ int stage[kStages][kThreads];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> state;
  const auto block = cg::this_thread_block();
  auto line = cuda::make_pipeline(block, &state);
  const int t = threadIdx.x;
  fill(line, stage[0], in);
  int sum = 0;
  for (int k = 0; k < rounds; ++k) {
    if (k + 1 < rounds) fill(line, stage[(k + 1) % kStages], in + (k + 1) * kThreads);
    if (wait) line.consumer_wait();
    if (!late) line.consumer_release();
    sum += stage[k % kStages][kThreads - 1 - t];  // LINE block_use
    if (late) line.consumer_release();
  }
  out[t] = sum;
}

// One warp fills, the other one uses.
__global__ void roles(const int* in, int* out, int rounds) {
  constexpr int kStages = 2;
  __shared__ int stage[kStages][32];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> state;
  const auto block = cg::this_thread_block();
  const bool producer = threadIdx.x < 32;
  auto line = cuda::make_pipeline(
      block, &state, producer ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
  const int t = threadIdx.x % 32;
  int sum = 0;
  for (int k = 0; k < rounds; ++k) {
    if (producer) {
      line.producer_acquire();
      cuda::memcpy_async(&stage[k % kStages][t], &in[k * 32 + t], sizeof(int), line);
      line.producer_commit();
    } else {
      line.consumer_wait();
      sum += stage[k % kStages][31 - t];
      line.consumer_release();
    }
  }
  if (!producer) out[t] = sum;
}

__global__ void barrier_waits(const int* in, int* out, bool right) {
  __shared__ int tile[kThreads];
  __shared__ cuda::barrier<cuda::thread_scope_block> arrived;
  const int t = threadIdx.x;
  if (t == 0) init(&arrived, kThreads);
  __syncthreads();
  cuda::memcpy_async(&tile[t], &in[t], sizeof(int), arrived);  // LINE barrier_copy
  auto token = arrived.arrive();
  if (right) arrived.wait(std::move(token));
  __syncthreads();
  out[t] = tile[kThreads - 1 - t];  // LINE barrier_use
}

__global__ void group_waits(const int* in, int* out, bool right) {
  __shared__ int tile[kThreads];
  const auto block = cg::this_thread_block();
  cg::memcpy_async(block, tile, in, sizeof tile);  // LINE group_copy
  if (right) {
    cg::wait(block);
  } else {
    block.sync();
  }
  out[threadIdx.x] = tile[kThreads - 1 - threadIdx.x];  // LINE group_use
}

void no_wait(bool right) {
  primitives<<<1, kThreads>>>(Array<int>(64), Array<int>(64), true, right, true);
}
void no_commit(bool right) {
  primitives<<<1, kThreads>>>(Array<int>(64), Array<int>(64), right, true, true);
}
void no_barrier(bool right) {
  primitives<<<1, kThreads>>>(Array<int>(64), Array<int>(64), true, true, right);
}
void stage_early(bool right) {
  two_stages<<<1, kThreads>>>(Array<int>(640), Array<int>(64), 10, right ? 1 : 2, 1);
}
void stage_in_use(bool right) {
  two_stages<<<1, kThreads>>>(Array<int>(640), Array<int>(64), 10, 1, right ? 1 : 2);
}
void source(bool right) {
  changes_source<<<1, kThreads>>>(Array<int>(64), Array<int>(64), right);
}
void thread_pipeline(bool right) {
  one_threads_pipeline<<<1, kThreads>>>(Array<int>(64), Array<int>(64), right);
}
void block_pipeline(bool right) {
  blocks_pipeline<<<1, kThreads>>>(Array<int>(640), Array<int>(64), 2, right, true);
  roles<<<1, kThreads>>>(Array<int>(640), Array<int>(64), 20);
}
void early_release(bool right) {
  blocks_pipeline<<<1, kThreads>>>(Array<int>(640), Array<int>(64), 10, true, right);
}
void barrier_object(bool right) {
  barrier_waits<<<1, kThreads>>>(Array<int>(64), Array<int>(64), right);
}
void group(bool right) {
  group_waits<<<1, kThreads>>>(Array<int>(64), Array<int>(64), right);
}

int main(int argc, char** argv) {
  const Case cases[] = {{"no_wait", no_wait},
                        {"no_commit", no_commit},
                        {"no_barrier", no_barrier},
                        {"stage_early", stage_early},
                        {"stage_in_use", stage_in_use},
                        {"source", source},
                        {"thread_pipeline", thread_pipeline},
                        {"block_pipeline", block_pipeline},
                        {"early_release", early_release},
                        {"barrier_object", barrier_object},
                        {"group", group}};
  return run_case(argc, argv, cases);
}
