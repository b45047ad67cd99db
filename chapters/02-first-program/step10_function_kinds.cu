// Step 10, kinds of functions: who may call a function, and where it runs. One line each for
// __global__, __device__, __host__, and for both at once.
#include <cstdio>

#include "coalesce/device_buffer.hpp"
#include "coalesce/launch.hpp"
#include "steps.hpp"

namespace chapter02 {
namespace {

// [functions]
// The same as no word at all.
__host__ int made_on_host(int i) {
  return 100 * i;
}

__device__ int made_on_device(int i) {
  return 10 * i;
}

// Compiled twice.
__host__ __device__ constexpr int add_one(int value) {
  return value + 1;
}

template <int Factor>
__device__ __forceinline__ int times(int value) {
  return Factor * value;
}

__host__ __device__ const char* where_am_i() {
#ifdef __CUDA_ARCH__
  return "device";
#else
  return "host";
#endif
}
// [/functions]

// [kernel]
__global__ void call_each_kernel(int from_host, int* results, char* place) {
  results[0] = from_host;  // a kernel cannot call made_on_host(): it gets the value
  results[1] = made_on_device(7);
  results[2] = add_one(made_on_device(7));
  results[3] = times<3>(7);
  *place = where_am_i()[0];
}
// [/kernel]

}  // namespace

// [launch]
int function_kinds(std::int64_t) {
  coalesce::device_buffer<int> d_results(4);
  coalesce::device_buffer<char> d_place(1);
  coalesce::launch(call_each_kernel, {.grid = 1, .block = 1}, made_on_host(7), d_results.data(),
                   d_place.data());
  // [/launch]

  int results[4] = {};
  char place = '?';
  d_results.copy_to_host(results);
  d_place.copy_to_host({&place, 1});
  std::printf("__host__ then a parameter: %d\n", results[0]);
  std::printf("__device__:                %d\n", results[1]);
  std::printf("__host__ __device__:       %d on the device, %d on the host\n", results[2],
              add_one(70));
  std::printf("template <int> __device__: %d\n", results[3]);
  std::printf("__CUDA_ARCH__:             the host sees \"%s\", the kernel \"%s\"\n", where_am_i(),
              place == 'd' ? "device" : "host");
  const bool right = results[0] == 700 && results[1] == 70 && results[2] == add_one(70) &&
                     results[3] == 21 && place == 'd' && where_am_i()[0] == 'h';
  return right ? 0 : 1;
}

}  // namespace chapter02
