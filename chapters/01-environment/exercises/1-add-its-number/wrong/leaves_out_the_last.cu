// Wrong: the guard stops one element too early.
#include "coalesce/launch.hpp"
#include "exercise.hpp"

// [kernel]
__global__ void add_its_number_kernel(int* values, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);

  // [answer]
  if (i < n - 1) values[i] = values[i] + i;
  // [/answer]
}
// [/kernel]

void add_its_number(int* d_values, int n, cudaStream_t stream) {
  coalesce::launch(add_its_number_kernel,
                   {.grid = coalesce::grid_for(n, 256), .block = 256, .stream = stream}, d_values,
                   n);
}
