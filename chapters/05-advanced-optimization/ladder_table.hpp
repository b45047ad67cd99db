#pragma once

#include <vector>

#include "coalesce/array_family.hpp"
#include "reference.hpp"
#include "steps.hpp"
#include "sum_workspace.hpp"

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
    .workspace_bytes = [](std::int64_t) -> std::int64_t { return sizeof(sum_workspace); },
    .thorough_sizes = {1 << 10, 1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20, 1 << 22, 1 << 24,
                       1 << 26, 1 << 28, 1 << 30},
};

inline std::vector<coalesce::family> ladder_families() {
  return {coalesce::make_family(sum_of_squares_i32)};
}

/// A step of the old ladder: timed without graphs.
inline coalesce::step old_step(const char* name, sum_step* run, const char* title) {
  coalesce::step s = coalesce::make_step(sum_of_squares_i32, name, run, title);
  s.modes = {coalesce::hot_stream, coalesce::cold_stream};
  s.only_at = {1 << 20, 1 << 22, 1 << 28};
  return s;
}

inline std::vector<coalesce::step> ladder_steps() {
  const auto& sum = sum_of_squares_i32;
  std::vector<coalesce::step> steps = {
      old_step("many_blocks", many_blocks, "every thread adds its square to the one sum"),
      old_step("block_sums", block_sums, "a block's squares are added up by its thread 0"),
      old_step("tree_divergent", tree_divergent, "added in pairs, by scattered threads"),
      old_step("tree_bank_conflicts", tree_bank_conflicts,
               "by neighbouring threads, at scattered addresses"),
      old_step("tree_sequential", tree_sequential,
               "by neighbouring threads, at neighbouring places"),
      old_step("first_add_during_load", first_add_during_load, "a thread loads two elements"),
      old_step("warp_shuffle", warp_shuffle, "lanes hand each other their registers"),
      coalesce::make_step(sum, "grid_stride", grid_stride,
                          "resident blocks only, several loads in flight"),
      coalesce::make_step(sum, "wide_loads", wide_loads, "four ints with each load"),
      coalesce::make_step(sum, "one_launch", one_launch, "the last block adds the blocks' sums"),
      coalesce::make_step(sum, "cooperative_grid", cooperative_grid,
                          "all blocks wait for each other"),
      coalesce::make_step(sum, "packed_ticket", packed_ticket,
                          "the ticket carries the sum, without a fence"),
      coalesce::make_step(sum, "tile_a_block", tile_a_block,
                          "the hardware hands out tiles, in the order of memory"),
      coalesce::make_step(sum, "early_launch", early_launch,
                          "the next launch starts before this one ends"),
      coalesce::make_step(sum, "by_size", by_size, "the best step for each size"),
  };
  for (coalesce::step& s : steps) {
    if (s.name == "early_launch") s.least_capability = 90;
  }
  return steps;
}

}  // namespace chapter05
