// The rivals of chapter 5's sums. CUB is called as its documentation advises for speed: the transform inside
// the reduction, on the raw pointer, so that it reads 16 bytes at a time; scratch memory allocated before.
// The read roof reads the same bytes and combines them with the least work: an exclusive or.
#include <cub/device/device_reduce.cuh>
#include <cuda/functional>

#include "coalesce/device_buffer.hpp"
#include "coalesce/error.hpp"
#include "coalesce/launch.hpp"
#include "load_once.hpp"
#include "peers.hpp"
#include "resident_blocks.hpp"
#include "square.hpp"
#include "table.hpp"

namespace chapter05 {
namespace {

/// Runs a CUB algorithm with scratch memory that grows when needed, never inside a captured graph: each
/// size is checked before it is captured.
template <class Algorithm>
void with_scratch(Algorithm algorithm) {
  static coalesce::device_buffer<std::byte> scratch;
  std::size_t bytes = 0;
  COALESCE_CHECK(algorithm(nullptr, bytes));
  if (bytes > scratch.bytes())
    scratch = coalesce::device_buffer<std::byte>(static_cast<std::int64_t>(bytes));
  COALESCE_CHECK(algorithm(scratch.data(), bytes));
}

struct wide_square {
  __host__ __device__ std::int64_t operator()(int value) const { return square(value); }
};
struct float_square {
  __host__ __device__ float operator()(float value) const { return value * value; }
};

void cub_sum(const int* d_values, std::int64_t n, std::int64_t* d_sum, cudaStream_t stream) {
  with_scratch([=](void* scratch, std::size_t& bytes) {
    return cub::DeviceReduce::TransformReduce(scratch, bytes, d_values, d_sum, n,
                                              cuda::std::plus<std::int64_t>{}, wide_square{},
                                              std::int64_t{0}, stream);
  });
}

void cub_float_sum(const float* d_values, std::int64_t n, float* d_sum, cudaStream_t stream) {
  with_scratch([=](void* scratch, std::size_t& bytes) {
    return cub::DeviceReduce::TransformReduce(
        scratch, bytes, d_values, d_sum, n, cuda::std::plus<float>{}, float_square{}, 0.0f, stream);
  });
}

enum class load { cached, streaming, once };

template <load Kind>
__device__ int4 load_four(const int4* four) {
  if constexpr (Kind == load::streaming) return __ldcs(four);
  if constexpr (Kind == load::once) return load_once(four);
  return *four;
}

__device__ unsigned bits(int4 four) {
  return static_cast<unsigned>(four.x ^ four.y ^ four.z ^ four.w);
}

/// Exclusive or of all words into *result. A block reads one tile, or walks on by `gridDim.x` tiles.
template <int Threads, int Loads, load Kind>
__global__ void __launch_bounds__(Threads)
    read_kernel(const int4* fours, std::int64_t count, unsigned* result) {
  constexpr std::int64_t tile = std::int64_t{Threads} * Loads;
  unsigned mine = 0;
  for (std::int64_t begin = blockIdx.x * tile; begin < count; begin += gridDim.x * tile) {
    const std::int64_t first = begin + threadIdx.x;
    int4 loaded[Loads];
#pragma unroll
    for (int k = 0; k < Loads; ++k)
      loaded[k] =
          first + k * Threads < count ? load_four<Kind>(fours + first + k * Threads) : int4{};
#pragma unroll
    for (int k = 0; k < Loads; ++k) mine ^= bits(loaded[k]);
  }
  __shared__ unsigned of_warp[Threads / 32];
  for (int distance = 16; distance > 0; distance /= 2)
    mine ^= __shfl_xor_sync(0xffffffff, mine, distance);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = mine;
  __syncthreads();
  if (threadIdx.x > 0) return;
  for (int warp = 1; warp < Threads / 32; ++warp) mine ^= of_warp[warp];
  atomicXor(result, mine);
}

/// \param resident as many blocks as the device holds; else a block a tile
template <int Threads, int Loads, load Kind, bool Resident>
void read_roof(const int* d_values, std::int64_t n, std::int64_t* d_sum, cudaStream_t stream) {
  const auto kernel = read_kernel<Threads, Loads, Kind>;
  const std::int64_t count = n / 4;
  std::int64_t blocks = coalesce::ceil_div(count, Threads * Loads);
  if (Resident) blocks = std::min(blocks, resident_blocks(kernel, Threads));
  coalesce::launch(
      kernel, {.grid = coalesce::grid_for(blocks, 1), .block = Threads, .stream = stream},
      reinterpret_cast<const int4*>(d_values), count, reinterpret_cast<unsigned*>(d_sum));
}

/// The low word of the answer is the exclusive or of poison and all input words: everything was read.
coalesce::verdict check_read(coalesce::problem& p) {
  auto& sum = static_cast<coalesce::array_problem<int, std::int64_t>&>(p);
  unsigned want = coalesce::poison_byte<int> * 0x01010101u;
  for (const int value : sum.input()) want ^= static_cast<unsigned>(value);
  const std::uint32_t got[] = {static_cast<std::uint32_t>(sum.output()[0])};
  const std::uint32_t wanted[] = {want};
  return coalesce::expect_equal<std::uint32_t>(got, wanted);
}

template <int Threads, int Loads, load Kind, bool Resident>
coalesce::step roof_step() {
  coalesce::step s = coalesce::make_rival(sum_of_squares_i32, "read_roof",
                                          read_roof<Threads, Loads, Kind, Resident>,
                                          "reads everything, and combines by exclusive or");
  s.variant = "threads:" + std::to_string(Threads) + "/loads:" + std::to_string(Loads) +
              (Kind == load::streaming ? "/load:streaming"
               : Kind == load::once    ? "/load:once"
                                       : "/load:cached") +
              (Resident ? "/grid:resident" : "/grid:tiles");
  s.check = check_read;
  s.least_n = 1 << 24;
  s.modes = {coalesce::hot_stream, coalesce::cold_stream};
  return s;
}

}  // namespace

void add_peers(coalesce::chapter& chapter) {
  auto& steps = chapter.steps;
  steps.push_back(coalesce::make_rival(sum_of_squares_i32, "cub", cub_sum,
                                       "cub::DeviceReduce::TransformReduce"));
  steps.push_back(coalesce::make_rival(sum_of_squares_f32, "cub", cub_float_sum,
                                       "cub::DeviceReduce::TransformReduce"));
  steps.push_back(roof_step<256, 16, load::cached, false>());
  steps.push_back(roof_step<512, 8, load::cached, false>());
  steps.push_back(roof_step<512, 8, load::streaming, false>());
  steps.push_back(roof_step<1024, 4, load::streaming, false>());
  steps.push_back(roof_step<512, 8, load::once, false>());
  steps.push_back(roof_step<1024, 4, load::once, false>());
  steps.push_back(roof_step<512, 4, load::cached, true>());
  steps.push_back(roof_step<512, 4, load::streaming, true>());
}

}  // namespace chapter05
