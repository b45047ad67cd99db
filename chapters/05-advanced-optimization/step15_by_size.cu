// Step 15, by size: a packed ticket while the array fits the cache, launched early where the GPU can do
// that; a tile a block beyond. Reads 4 bytes an element. n from 0 to 2^35 - 1.
#include "coalesce/error.hpp"
#include "steps.hpp"

namespace chapter05 {
namespace {

/// From here on the array is larger than the caches of today's GPUs, and the order of memory counts.
constexpr std::int64_t large = (std::int64_t{1} << 24) + 1;

bool can_launch_early() {
  int device = 0, capability = 0;
  COALESCE_CHECK(cudaGetDevice(&device));
  COALESCE_CHECK(cudaDeviceGetAttribute(&capability, cudaDevAttrComputeCapabilityMajor, device));
  return capability >= 9;
}

}  // namespace

// [choice]
void by_size(const int* d_values, std::int64_t n, std::int64_t* d_sum, void* d_workspace,
             cudaStream_t stream) {
  const auto small = can_launch_early() ? early_launch : packed_ticket;
  const auto step = n < large ? small : tile_a_block;
  step(d_values, n, d_sum, d_workspace, stream);
}
// [/choice]

}  // namespace chapter05
