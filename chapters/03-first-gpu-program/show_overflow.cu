// Shows where a 32-bit sum of squares of 0..9 wraps, and that host and device wrap alike: comparing two
// programs with the same mistake finds nothing. Needs no large memory: every element is a nine.
#include <cstdio>

#include "coalesce/device_buffer.hpp"
#include "coalesce/launch.hpp"
#include "overflow.hpp"
#include "steps.hpp"

namespace chapter03 {
namespace {

// [kernel]
/// Adds 9 * 9 to a sum of 32 bits and to one of 64, n times. An unsigned sum may wrap; a signed one has no
/// defined value after 2^31 - 1, though every GPU and every common CPU gives the same bits.
__host__ __device__ void add_nines(std::int64_t n, std::uint32_t* sum32, std::int64_t* sum64) {
  *sum32 = 0;
  *sum64 = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    *sum32 += 9 * 9;
    *sum64 += 9 * 9;
  }
}

__global__ void add_nines_kernel(std::int64_t n, std::uint32_t* sum32, std::int64_t* sum64) {
  add_nines(n, sum32, sum64);
}
// [/kernel]

}  // namespace

int overflow(std::int64_t wanted) {
  const std::int64_t n = wanted > 0 ? wanted : wraps_at_worst;
  std::printf("a sum of 32 bits of the squares of 0..9 wraps\n");
  std::printf("  from n = %lld on, if all are 9\n", static_cast<long long>(wraps_at_worst));
  std::printf("  from about %lld on, as a rule\n", static_cast<long long>(wraps_in_the_mean));

  coalesce::device_buffer<std::uint32_t> d_sum32(1);
  coalesce::device_buffer<std::int64_t> d_sum64(1);
  std::uint32_t host32 = 0;
  std::int64_t host64 = 0;
  for (const std::int64_t size : {n - 1, n}) {
    coalesce::launch(add_nines_kernel, {.grid = 1, .block = 1}, size, d_sum32.data(),
                     d_sum64.data());
    add_nines(size, &host32, &host64);
    const auto device32 = static_cast<std::int32_t>(coalesce::to_host(d_sum32)[0]);
    const std::int64_t device64 = coalesce::to_host(d_sum64)[0];
    std::printf("n = %lld nines\n", static_cast<long long>(size));
    std::printf("  32 bits: device %d, host %d: they %s\n", device32,
                static_cast<std::int32_t>(host32),
                device32 == static_cast<std::int32_t>(host32) ? "agree" : "differ");
    std::printf("  64 bits: %lld: 32 bits are %s\n", static_cast<long long>(device64),
                device32 == device64 ? "right" : "wrong");
    if (device64 != size * 81 || host64 != size * 81) return 1;
  }
  return 0;
}

}  // namespace chapter03
