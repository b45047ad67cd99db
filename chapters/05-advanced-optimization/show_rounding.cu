// Shows what one float can hold: where additions round, that their order matters, and that FMA rounds once.
// Every operation is written out, so both devices give the same bits.
#include <cstdio>

#include "coalesce/launch.hpp"
#include "coalesce/verify.hpp"
#include "steps.hpp"

namespace chapter05 {
namespace {

struct answers {
  float next_of_2_24, one_more, left_first, right_first, twice_rounded, once_rounded;
};

// [kernel]
__global__ void rounding_kernel(float big, float one, float x, answers* found) {
  found->one_more = __fadd_rn(big, one);
  found->next_of_2_24 = __fadd_rn(big, __fadd_rn(one, one));
  found->left_first = __fadd_rn(__fadd_rn(big, one), -big);
  found->right_first = __fadd_rn(big, __fadd_rn(one, -big));

  const float square = __fmul_rn(x, x);
  found->twice_rounded = __fadd_rn(__fmul_rn(x, x), -square);
  found->once_rounded = __fmaf_rn(x, x, -square);
}
// [/kernel]

}  // namespace

int rounding(std::int64_t) {
  coalesce::device_buffer<answers> d_found(1);
  coalesce::launch(rounding_kernel, {.grid = 1, .block = 1}, 16777216.0f, 1.0f, 1 + 0x1p-12f,
                   d_found.data());
  const answers a = coalesce::to_host(d_found)[0];
  std::printf("16777216 + 1               = %.9g\n", double{a.one_more});
  std::printf("16777216 + 2               = %.9g\n", double{a.next_of_2_24});
  std::printf("(16777216 + 1) - 16777216  = %.9g\n", double{a.left_first});
  std::printf("16777216 + (1 - 16777216)  = %.9g\n", double{a.right_first});
  std::printf("x * x - square, two roundings: %a\n", double{a.twice_rounded});
  std::printf("fma(x, x, -square), one:       %a\n", double{a.once_rounded});
  const bool right = a.one_more == 16777216 && a.next_of_2_24 == 16777218 && a.left_first == 0 &&
                     a.right_first == 1 && a.twice_rounded == 0 && a.once_rounded == 0x1p-24f;
  return right ? 0 : 1;
}

}  // namespace chapter05
