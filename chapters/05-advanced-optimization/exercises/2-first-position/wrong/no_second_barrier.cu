// Wrong: hands the minimum on before all warps have lowered it.
#include "coalesce/index.hpp"
#include "coalesce/launch.hpp"
#include "exercise.hpp"

// [kernel]
using position = unsigned long long;

__global__ void set_kernel(position* answer, position value) {
  *answer = value;
}

__global__ void first_position_kernel(const int* values, std::int64_t n, int wanted,
                                      position* answer) {
  // [answer]
  __shared__ position least;
  if (threadIdx.x == 0) least = static_cast<position>(n);
  __syncthreads();  // before anyone lowers it

  const std::int64_t i = coalesce::global_index_x();
  if (i < n && values[i] == wanted) atomicMin(&least, static_cast<position>(i));

  if (threadIdx.x == 0) atomicMin(answer, least);
  // [/answer]
}
// [/kernel]

void first_position(const int* d_values, std::int64_t n, int wanted, position* d_position,
                    cudaStream_t stream) {
  coalesce::launch(set_kernel, {.grid = 1, .block = 1, .stream = stream}, d_position,
                   static_cast<position>(n));
  coalesce::launch(first_position_kernel,
                   {.grid = coalesce::grid_for(n, 256), .block = 256, .stream = stream}, d_values,
                   n, wanted, d_position);
}
