// The latency of memory: one thread follows a chain of places, and cannot ask for the next before the
// last has come. The chain visits all of its footprint, in random order, one place every 128 bytes.
#include "coalesce/launch.hpp"
#include "steps.hpp"

namespace chapter04 {
namespace {

// [kernel]
__global__ void pointer_chase_kernel(const int* next, int loads, int* ends, int* last) {
  int place = *last;
  ends[0] = place;

#pragma unroll 16
  for (int i = 0; i < loads; ++i) place = next[place];

  ends[1] = place;
  *last = place;  // the next launch goes on from here: it meets data of the whole footprint
}
// [/kernel]

}  // namespace

// [launch]
void pointer_chase(const int* d_next, std::int64_t n, int* d_ends, void* d_last,
                   cudaStream_t stream) {
  coalesce::launch(pointer_chase_kernel, {.grid = 1, .block = 1, .stream = stream}, d_next,
                   n > 0 ? chase_loads : 0, d_ends, static_cast<int*>(d_last));
}
// [/launch]

}  // namespace chapter04
