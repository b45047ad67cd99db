#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "coalesce/array_family.hpp"
#include "reference.hpp"
#include "steps.hpp"

namespace chapter04 {

/// The sum of the partial sums that somebody wrote: the rest keep the poison of the output.
inline std::int64_t sum_of_written(std::span<const std::int64_t> partials) {
  std::int64_t sum = 0;
  for (const std::int64_t partial : partials)
    if (!coalesce::is_poison(partial)) sum += partial;
  return sum;
}

/// Compares the partial sums of `threads` threads with the reference: every one of them was written,
/// nothing behind them was, and together they are the sum.
// [check]
inline coalesce::verdict check_partials(std::span<const std::int64_t> partials,
                                        std::span<const int> values, int threads) {
  const auto written = partials.first(static_cast<std::size_t>(threads));
  const auto behind = partials.subspan(static_cast<std::size_t>(threads));
  if (const auto missing = coalesce::still_poisoned(written))
    return {false, "thread " + std::to_string(*missing) + " wrote no partial sum"};
  if (!std::all_of(behind.begin(), behind.end(), coalesce::is_poison<std::int64_t>))
    return {false, "somebody wrote behind the partial sums of the " + std::to_string(threads) +
                       " threads"};
  const std::int64_t got = sum_of_written(written), want = sum_of_squares(values);
  return coalesce::expect_equal<std::int64_t>(std::span(&got, 1), std::span(&want, 1));
}
// [/check]

inline const coalesce::array_definition<int, std::int64_t> sum_of_squares_i32{
    .name = "sum_of_squares_i32",
    .default_n = 1 << 20,
    .bench_sizes = {1 << 20},
    .make_input = [](std::int64_t n,
                     std::uint64_t seed) { return coalesce::random_ints(n, 0, 9, seed); },
    .reference =
        [](std::span<const int> in, std::span<std::int64_t> out) {
          std::fill(out.begin(), out.end(), 0);
          out[0] = sum_of_squares(in);
        },
    .compare =
        [](std::span<const std::int64_t> got, std::span<const std::int64_t> want) {
          const std::int64_t sum = sum_of_written(got);
          return coalesce::expect_equal<std::int64_t>(std::span(&sum, 1), want.first(1));
        },
    .describe =
        [](std::span<const std::int64_t> out) {
          return "sum of squares = " + std::to_string(sum_of_written(out));
        },
    .outputs = [](std::int64_t) -> std::int64_t { return most_threads; },
};

/// A row of one block: `run` is told the number of threads, and its partial sums are checked.
template <int threads>
coalesce::step one_block_step(std::string name, std::string variant,
                              coalesce::array_problem<int, std::int64_t>::device_step* run,
                              std::string title) {
  coalesce::step s =
      coalesce::make_step(sum_of_squares_i32, std::move(name), run, std::move(title));
  s.variant = std::move(variant);
  s.check = [](coalesce::problem& p) {
    auto& sum = static_cast<coalesce::array_problem<int, std::int64_t>&>(p);
    return check_partials(sum.output(), sum.input(), threads);
  };
  return s;
}

/// \tparam run a step that is told its number of threads
template <one_block_sum run, int threads>
coalesce::step with_threads(std::string name, std::string title) {
  return one_block_step<threads>(
      std::move(name), "threads:" + std::to_string(threads),
      [](const int* d_values, std::int64_t n, std::int64_t* d_partials, cudaStream_t stream) {
        run(d_values, n, d_partials, threads, stream);
      },
      std::move(title));
}

/// \tparam run a step that is told its number of threads, and how far its loop is unrolled
template <unrolled_sum run, int threads, int unroll>
coalesce::step with_threads_and_unroll(std::string name, std::string title) {
  coalesce::step s = one_block_step<threads>(
      std::move(name), "threads:" + std::to_string(threads) + "/unroll:" + std::to_string(unroll),
      [](const int* d_values, std::int64_t n, std::int64_t* d_partials, cudaStream_t stream) {
        run(d_values, n, d_partials, threads, unroll, stream);
      },
      std::move(title));
  if (threads < 512)
    s.modes = {coalesce::hot_stream};  // a field of the map, not a rung of the ladder
  return s;
}

/// One line of the map: all numbers of loads in flight for one number of threads.
template <unrolled_sum run, int threads>
void add_unrolled(std::vector<coalesce::step>& steps, const std::string& name,
                  const std::string& title) {
  steps.push_back(with_threads_and_unroll<run, threads, 1>(name, title));
  steps.push_back(with_threads_and_unroll<run, threads, 2>(name, title));
  steps.push_back(with_threads_and_unroll<run, threads, 4>(name, title));
  steps.push_back(with_threads_and_unroll<run, threads, 8>(name, title));
  steps.push_back(with_threads_and_unroll<run, threads, 16>(name, title));
}

inline std::vector<coalesce::family> one_block_families() {
  return {coalesce::make_family(sum_of_squares_i32)};
}

inline std::vector<coalesce::step> one_block_steps() {
  std::vector<coalesce::step> steps;
  steps.push_back(
      with_threads<contiguous, 512>("contiguous", "one block, each thread one slice of the array"));

  const std::string neighbours = "one block, neighbouring threads take neighbouring elements";
  steps.push_back(with_threads<strided, 512>("strided", neighbours));
  steps.push_back(with_threads<strided, 32>("strided", neighbours));
  steps.push_back(with_threads<strided, 64>("strided", neighbours));
  steps.push_back(with_threads<strided, 128>("strided", neighbours));
  steps.push_back(with_threads<strided, 256>("strided", neighbours));
  steps.push_back(with_threads<strided, 1024>("strided", neighbours));

  add_unrolled<contiguous_unrolled, 512>(
      steps, "contiguous_unrolled", "slices, with so many loads of a thread in flight at most");
  const std::string map = "neighbours, with so many loads of a thread in flight at most";
  add_unrolled<strided_unrolled, 512>(steps, "strided_unrolled", map);
  add_unrolled<strided_unrolled, 32>(steps, "strided_unrolled", map);
  add_unrolled<strided_unrolled, 64>(steps, "strided_unrolled", map);
  add_unrolled<strided_unrolled, 128>(steps, "strided_unrolled", map);
  add_unrolled<strided_unrolled, 256>(steps, "strided_unrolled", map);
  add_unrolled<strided_unrolled, 1024>(steps, "strided_unrolled", map);
  steps.push_back(coalesce::make_show("one_block_clock", one_block_clock,
                                      "from a block's cycles to its time and bandwidth"));
  return steps;
}

}  // namespace chapter04
