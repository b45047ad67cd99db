// Evidence: a kernel may call through a function pointer, when the address was taken on the device.
#include <cstdio>

#include "../steps.hpp"
#include "coalesce/device_buffer.hpp"
#include "coalesce/launch.hpp"

namespace chapter02 {
namespace {

// [kernel]
using operation = int (*)(int);

__device__ int twice(int value) {
  return 2 * value;
}
__device__ int square(int value) {
  return value * value;
}

__device__ operation d_operations[2] = {twice, square};  // filled in with addresses on the device

__global__ void apply_kernel(operation chosen, int* value) {
  *value = chosen(*value);
}
// [/kernel]

int apply(operation chosen, int value) {
  coalesce::device_buffer<int> d_value(1);
  d_value.copy_from_host({&value, 1});
  coalesce::launch(apply_kernel, {.grid = 1, .block = 1}, chosen, d_value.data());
  d_value.copy_to_host({&value, 1});
  return value;
}

}  // namespace

// [launch]
int function_pointer(std::int64_t) {
  operation operations[2] = {};
  COALESCE_CHECK(cudaMemcpyFromSymbol(operations, d_operations, sizeof operations));

  const int doubled = apply(operations[0], 7);
  const int squared = apply(operations[1], 7);
  std::printf("through the first pointer: %d, through the second: %d\n", doubled, squared);
  return doubled == 14 && squared == 49 ? 0 : 1;
}
// [/launch]

}  // namespace chapter02
