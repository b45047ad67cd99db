// Evidence: cudaMalloc counts bytes. We ask for 2^26 and see how much free memory goes away, then
// write and read the last of those bytes.
#include <cstdio>

#include "../steps.hpp"
#include "coalesce/error.hpp"

namespace chapter02 {

// [launch]
int bytes_not_bits(std::int64_t) {
  constexpr std::size_t asked = std::size_t{1} << 26;
  std::size_t free_before = 0, free_after = 0, total = 0;
  unsigned char* d_bytes = nullptr;

  COALESCE_CHECK(cudaMemGetInfo(&free_before, &total));
  COALESCE_CHECK(cudaMalloc(&d_bytes, asked));
  COALESCE_CHECK(cudaMemGetInfo(&free_after, &total));

  unsigned char last = 0;
  COALESCE_CHECK(cudaMemset(d_bytes, 0x5A, asked));
  COALESCE_CHECK(cudaMemcpy(&last, d_bytes + asked - 1, 1, cudaMemcpyDeviceToHost));
  COALESCE_CHECK(cudaFree(d_bytes));
  // [/launch]

  const bool gone = free_before - free_after >= asked;  // bits would need an eighth
  std::printf(
      "asked for %zu: at least as many bytes are gone: %s; the last one can be written: %s\n",
      asked, gone ? "yes" : "no", last == 0x5A ? "yes" : "no");
  return gone && last == 0x5A ? 0 : 1;
}

}  // namespace chapter02
