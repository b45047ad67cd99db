#pragma once

#include "coalesce/array_family.hpp"
#include "reference.hpp"
#include "steps.hpp"

namespace chapter03 {

inline const coalesce::array_definition<int, std::int64_t> sum_of_squares_i32{
    .name = "sum_of_squares_i32",
    .default_n = 1 << 20,
    .bench_sizes = {1 << 10, 1 << 14, 1 << 18, 1 << 20, 1 << 22},
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
};

/// The chapter as data: families and steps, in reading order.
inline const coalesce::chapter& this_chapter() {
  using namespace coalesce;
  const auto& sum = sum_of_squares_i32;
  static const chapter data{
      .slug = "03-first-gpu-program",
      .families = {make_family(sum)},
      .steps = {
          make_show("allocate_copy_free", allocate_copy_free,
                    "every call of a GPU program, and what it answers"),
          make_step(sum, "one_thread", one_thread, "one GPU thread adds up everything"),
          make_show("timing_three_ways", timing_three_ways,
                    "one kernel under three clocks, one of them misread"),
          make_show("launch_queue", launch_queue,
                    "what a launch costs the host until the queue is full, and then"),
          make_show("first_launch", first_launch,
                    "what the first launch pays for, and later ones do not"),
          make_show("one_thread_clock", one_thread_clock, "the kernel counts its own cycles"),
          make_show("one_load", one_load,
                    "how long one load takes, from memory, from L2 and from L1"),
          make_step(sum, "one_thread_no_unroll", one_thread_no_unroll,
                    "the same loop with one load in flight"),
          make_baseline(sum, "cpu_one_thread", cpu_one_thread, "one thread of the CPU"),
          make_baseline(sum, "cpu_all_cores", cpu_all_cores, "all cores of the CPU"),
          make_show("overflow", overflow, "where a 32-bit sum wraps, and two wrong programs agree"),
      }};
  return data;
}

}  // namespace chapter03
