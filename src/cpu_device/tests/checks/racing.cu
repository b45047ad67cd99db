// Runs small programs of accesses and synchronisation that racing.py makes. Each step of such a
// program is one line here, so that reports name steps; each program of a run has a kernel of its
// own. Input and output are numbers.
#include <cooperative_groups.h>

#include <array>
#include <cstdio>
#include <utility>
#include <vector>

namespace cg = cooperative_groups;

constexpr int kSteps = 10, kPrograms = 16, kMostWords = 256;

enum Kind { kNothing, kBarrier, kWarp, kTicket, kAccess, kTile };
enum Op { kIdle, kLoadShared, kStoreShared, kAddShared, kLoadGlobal, kStoreGlobal, kAddGlobal };

struct Step {
  int kind;
  unsigned mask;   // of kWarp; size of kTile
  bool fenced;     // kTicket
  bool last_only;  // kAccess: only in the block that took the last ticket
};
struct Program {
  Step steps[kSteps];
};

#define ACCESS(k)                                                                \
  switch (const int word = words[(k) * threads + id]; ops[(k) * threads + id]) { \
    case kLoadShared:                                                            \
      sum += shared[word];                                                       \
      break;                                                                     \
    case kStoreShared:                                                           \
      shared[word] = (k) * 1000 + id;                                            \
      break;                                                                     \
    case kAddShared:                                                             \
      atomicAdd(&shared[word], 1);                                               \
      break;                                                                     \
    case kLoadGlobal:                                                            \
      sum += global[word];                                                       \
      break;                                                                     \
    case kStoreGlobal:                                                           \
      global[word] = (k) * 1000 + id;                                            \
      break;                                                                     \
    case kAddGlobal:                                                             \
      atomicAdd(&global[word], 1);                                               \
      break;                                                                     \
  }
#define STEP(k)                                                         \
  switch (const Step step = program.steps[k]; step.kind) {              \
    case kBarrier:                                                      \
      last = __syncthreads_or(last);                                    \
      break;                                                            \
    case kWarp:                                                         \
      if (step.mask >> t % 32 & 1) __syncwarp(step.mask);               \
      break;                                                            \
    case kTile:                                                         \
      if (step.mask == 64) tile64.sync();                               \
      if (step.mask == 128) tile128.sync();                             \
      break;                                                            \
    case kTicket:                                                       \
      if (t > 0) break;                                                 \
      if (step.fenced) __threadfence();                                 \
      taken[(k) * gridDim.x + blockIdx.x] = atomicAdd(&counters[k], 1); \
      if (step.fenced) __threadfence();                                 \
      last = taken[(k) * gridDim.x + blockIdx.x] == gridDim.x - 1;      \
      break;                                                            \
    case kAccess:                                                       \
      if (step.last_only && !last) break;                               \
      ACCESS(k)                                                         \
      break;                                                            \
  }

template <int Number>
__global__ void run(Program program, const int* ops, const int* words, int* global,
                    unsigned* counters, unsigned* taken, int* out) {
  __shared__ int shared[kMostWords];
  const unsigned t = threadIdx.x, id = blockIdx.x * blockDim.x + t;
  const unsigned threads = gridDim.x * blockDim.x;
  const auto tile64 = cg::tiled_partition<64>(cg::this_thread_block());
  const auto tile128 = cg::tiled_partition<128>(cg::this_thread_block());
  int sum = 0, last = 0;
  for (unsigned i = t; i < kMostWords; i += blockDim.x) shared[i] = 0;
  __syncthreads();
  // clang-format off
  STEP(0)  // LINE step0
  STEP(1)
  STEP(2)
  STEP(3)
  STEP(4)
  STEP(5)
  STEP(6)
  STEP(7)
  STEP(8)
  STEP(9)
  // clang-format on
  out[id] = sum;
}

int number() {
  int value = 0;
  if (std::scanf("%d", &value) != 1) std::exit(2);
  return value;
}

template <class T>
T* device(const std::vector<T>& values) {
  T* data = nullptr;
  cudaMalloc(&data, values.size() * sizeof(T));
  cudaMemcpy(data, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
  return data;
}

template <int Number>
void run_next() {
  const int blocks = number(), threads = number(), count = blocks * threads;
  Program program{};
  for (Step& step : program.steps) {
    step.kind = number();
    step.mask = static_cast<unsigned>(number());
    step.fenced = number();
    step.last_only = number();
  }
  std::vector<int> ops(kSteps * count), words(kSteps * count);
  for (int left = number(); left > 0; --left) {
    const int at = number();
    ops[at] = number();
    words[at] = number();
  }
  std::vector<unsigned> taken(kSteps * blocks);
  int* const d_ops = device(ops);
  int* const d_words = device(words);
  int* const global = device(std::vector<int>(kMostWords));
  unsigned* const counters = device(std::vector<unsigned>(kSteps));
  unsigned* const d_taken = device(taken);
  int* const out = device(std::vector<int>(count));
  run<Number><<<blocks, threads>>>(program, d_ops, d_words, global, counters, d_taken, out);
  cudaMemcpy(taken.data(), d_taken, taken.size() * sizeof(unsigned), cudaMemcpyDeviceToHost);
  for (const unsigned ticket : taken) std::printf("%u ", ticket);
  std::printf("\n");
  for (int* each : {d_ops, d_words, global, out}) cudaFree(each);
  cudaFree(counters);
  cudaFree(d_taken);
}

template <int... Numbers>
void run_all(std::integer_sequence<int, Numbers...>) {
  (run_next<Numbers>(), ...);
}

int main() {
  run_all(std::make_integer_sequence<int, kPrograms>());
}
