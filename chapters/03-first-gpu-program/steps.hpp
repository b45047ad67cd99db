#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <span>
#include <string>

#include "coalesce/array_family.hpp"
#include "reference.hpp"

namespace chapter03 {

/// Every step of the family `sum_of_squares_i32`: adds the squares of n ints into one 64-bit sum.
/// \param d_values  n ints on the device, any alignment of int
/// \param n         number of elements, 0 included
/// \param d_sum     one 64-bit integer on the device; overwritten
/// \param stream    everything is enqueued here; returns without waiting
/// \throws coalesce::cuda_error when the launch is refused
using sum_step = void(const int* d_values, std::int64_t n, std::int64_t* d_sum,
                      cudaStream_t stream);

sum_step one_thread;
sum_step one_thread_no_unroll;

/// A baseline of the family: the same on the host. \param values n ints \param sum one element, overwritten
using sum_baseline = void(std::span<const int> values, std::span<std::int64_t> sum);

sum_baseline cpu_one_thread;
sum_baseline cpu_all_cores;

/// A step that prints what it shows. \param n the reader's size, or 0 for the step's own
/// \return 0 when everything it checks is right, else 1
using show_step = int(std::int64_t n);

show_step allocate_copy_free;
show_step one_thread_clock;
show_step one_load;
show_step timing_three_ways;
show_step overflow;
show_step first_launch;

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

inline coalesce::step show(std::string name, show_step* run, std::string title) {
  return {.name = std::move(name),
          .family = {},
          .title = std::move(title),
          .kind = coalesce::step_kind::show,
          .launch = {},
          .show = run};
}

/// The chapter as data: families and steps, in reading order.
inline const coalesce::chapter& this_chapter() {
  const auto& sum = sum_of_squares_i32;
  static const coalesce::chapter chapter{
      .slug = "03-first-gpu-program",
      .families = {make_family(sum)},
      .steps = {
          show("allocate_copy_free", allocate_copy_free,
               "every call of a GPU program, and what it answers"),
          make_step(sum, "one_thread", one_thread, "one GPU thread adds up everything"),
          show("timing_three_ways", timing_three_ways,
               "one kernel under three clocks, one of them misread"),
          show("first_launch", first_launch,
               "what the first launch pays for, and later ones do not"),
          show("one_thread_clock", one_thread_clock, "the kernel counts its own cycles"),
          show("one_load", one_load, "how long one load takes, from memory, from L2 and from L1"),
          make_step(sum, "one_thread_no_unroll", one_thread_no_unroll,
                    "the same loop with one load in flight"),
          make_baseline(sum, "cpu_one_thread", cpu_one_thread, "one thread of the CPU"),
          make_baseline(sum, "cpu_all_cores", cpu_all_cores, "all cores of the CPU"),
          show("overflow", overflow, "where a 32-bit sum wraps, and two wrong programs agree"),
      }};
  return chapter;
}

}  // namespace chapter03
