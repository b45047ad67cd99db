#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "coalesce/array_family.hpp"
#include "reference.hpp"

namespace chapter03 {

/// Every step of the family `sum_of_squares_i32`: adds the squares of n ints into one 64-bit sum.
/// \param d_values  n ints on the device, any alignment of int
/// \param n         number of elements, 0 included
/// \param d_sum     one 64-bit integer on the device; overwritten
/// \param stream    everything is enqueued here; returns without waiting
/// \throws coalesce::cuda_error when the launch is refused
using sum_step = void(const int* d_values, std::int64_t n, std::int64_t* d_sum, cudaStream_t stream);

sum_step one_thread;

inline const coalesce::array_definition<int, std::int64_t> sum_of_squares_i32{
    .name = "sum_of_squares_i32",
    .default_n = 1 << 20,
    .bench_sizes = {1 << 20},
    .make_input = [](std::int64_t n, std::uint64_t seed) { return coalesce::random_ints(n, 0, 9, seed); },
    .reference = [](std::span<const int> in, std::span<std::int64_t> out) { out[0] = sum_of_squares(in); },
    .compare = coalesce::expect_equal<std::int64_t>,
    .describe = [](std::span<const std::int64_t> out) { return "sum of squares = " + std::to_string(out[0]); },
    .outputs = [](std::int64_t) -> std::int64_t { return 1; },
};

/// The chapter as data: families and steps, in reading order.
inline const coalesce::chapter& this_chapter() {
  static const coalesce::chapter chapter{
      .slug = "03-first-gpu-program",
      .families = {make_family(sum_of_squares_i32)},
      .steps = {
          make_step(sum_of_squares_i32, "one_thread", one_thread, "one GPU thread adds up everything"),
      }};
  return chapter;
}

}  // namespace chapter03
