// Step 15, by size: a packed ticket while the array fits the cache, a tile a block beyond. Reads 4 bytes an
// element. n from 0 to 2^35 - 1.
#include "steps.hpp"

namespace chapter05 {

// [choice]
/// From here on the array is larger than the caches of today's GPUs, and the order of memory counts.
constexpr std::int64_t large = std::int64_t{1} << 24;

void by_size(const int* d_values, std::int64_t n, std::int64_t* d_sum, void* d_workspace,
             cudaStream_t stream) {
  const auto step = n < large ? packed_ticket : tile_a_block;
  step(d_values, n, d_sum, d_workspace, stream);
}
// [/choice]

}  // namespace chapter05
