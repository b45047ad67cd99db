#pragma once

#include "coalesce/array_family.hpp"
#include "reference.hpp"
#include "steps.hpp"

namespace chapter01 {

inline const coalesce::array_definition<int, int> add_one_i32{
    .name = "add_one_i32",
    .default_n = 1000,
    .bench_sizes = {},
    .make_input = [](std::int64_t n,
                     std::uint64_t seed) { return coalesce::random_ints(n, 0, 9, seed); },
    .reference = add_one,
    .compare = coalesce::expect_equal<int>,
    .describe =
        [](std::span<const int> out) {
          return "1 added to each of " + std::to_string(out.size()) + " numbers";
        },
    .outputs = [](std::int64_t n) { return n; },
};

/// The chapter as data: families and steps, in reading order.
inline const coalesce::chapter& this_chapter() {
  using namespace coalesce;
  static const chapter data{
      .slug = "01-environment",
      .families = {make_family(add_one_i32)},
      .steps = {
          make_step(add_one_i32, "is_it_alive", is_it_alive, "the device adds 1 to every number"),
          make_show("versions", versions, "the versions that take part, and which code runs"),
      }};
  return data;
}

}  // namespace chapter01
