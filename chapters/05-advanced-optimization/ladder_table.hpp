#pragma once

#include <vector>

#include "coalesce/array_family.hpp"
#include "reference.hpp"
#include "steps.hpp"

namespace chapter05 {

inline const coalesce::array_definition<int, std::int64_t> sum_of_squares_i32{
    .name = "sum_of_squares_i32",
    .default_n = 1 << 20,
    .bench_sizes = {1 << 12, 1 << 16, 1 << 20, 1 << 24, 1 << 28},
    .make_input = [](std::int64_t n,
                     std::uint64_t seed) { return coalesce::random_ints(n, 0, 9, seed); },
    .reference = [](std::span<const int> in,
                    std::span<std::int64_t> out) { out[0] = sum_of_squares(in); },
    .compare = coalesce::expect_equal<std::int64_t>,
    .describe =
        [](std::span<const std::int64_t> out) {
          return "sum of squares = " + std::to_string(out[0]);
        },
    .outputs = [](std::int64_t) -> std::int64_t { return 1; },
    .short_kernels = true,
};

inline std::vector<coalesce::family> ladder_families() {
  return {coalesce::make_family(sum_of_squares_i32)};
}

inline std::vector<coalesce::step> ladder_steps() {
  const auto& sum = sum_of_squares_i32;
  return {
      coalesce::make_step(sum, "many_blocks", many_blocks,
                          "many blocks; every thread adds its own part to the sum"),
  };
}

}  // namespace chapter05
