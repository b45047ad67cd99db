#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "coalesce/array_family.hpp"
#include "steps.hpp"

namespace chapter04 {

/// A chain that visits the first int of every line in random order and ends where it began.
/// \param n ints; the chain has a place in every begun line
// [chain]
inline std::vector<int> random_chain(std::int64_t n, std::uint64_t seed) {
  std::vector<int> order(static_cast<std::size_t>((n + chase_line - 1) / chase_line));
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937_64(seed));

  std::vector<int> next(static_cast<std::size_t>(n), -1);
  for (std::size_t k = 0; k < order.size(); ++k)
    next[static_cast<std::size_t>(order[k]) * chase_line] =
        order[(k + 1) % order.size()] * chase_line;
  return next;
}
// [/chain]

/// Follows the chain on the host, from where the device began to where it must have ended.
inline coalesce::verdict check_chase(std::span<const int> ends, std::span<const int> next) {
  int place = ends[0];
  for (int i = 0; i < (next.empty() ? 0 : chase_loads); ++i) {
    if (place < 0 || place >= static_cast<std::int64_t>(next.size()))
      return {false, "the chain leads to place " + std::to_string(place)};
    place = next[static_cast<std::size_t>(place)];
  }
  return coalesce::expect_equal<int>(ends.subspan(1, 1), std::span<const int>(&place, 1));
}

/// What all threads of read_footprint() together add up, modulo 2^32, when block 0 begins at `first`.
inline unsigned sum_of_reads(std::span<const int> values, int blocks, std::size_t first) {
  const std::size_t count = values.size() / 4;
  if (count == 0) return 0;
  std::vector<unsigned> before(count + 1, 0);  // sum of the vectors before each
  for (std::size_t i = 0; i < 4 * count; ++i)
    before[i / 4 + 1] =
        (i % 4 == 0 ? before[i / 4] : before[i / 4 + 1]) + static_cast<unsigned>(values[i]);
  const std::size_t reads = std::size_t{read_turns} * read_threads;
  unsigned sum = 0;
  for (int b = 0; b < blocks; ++b) {
    const std::size_t start =
        (first + static_cast<std::size_t>(b) * count / static_cast<std::size_t>(blocks)) % count;
    const std::size_t end = start + reads;
    sum += static_cast<unsigned>(end / count) * before[count] + before[end % count] - before[start];
  }
  return sum;
}

/// Every thread of `blocks` blocks wrote its sum, and together they read what they should.
inline coalesce::verdict check_reads(std::span<const int> sums, std::span<const int> values,
                                     int blocks) {
  const auto written = sums.first(static_cast<std::size_t>(blocks) * read_threads);
  unsigned sum = 0;
  for (const int s : written) sum += static_cast<unsigned>(s);
  const int first = sums[written.size()];
  if (first < 0 || first > static_cast<std::int64_t>(values.size() / 4))
    return {false, "block 0 began at vector " + std::to_string(first)};
  const unsigned want = sum_of_reads(values, blocks, static_cast<std::size_t>(first));
  return coalesce::expect_equal<unsigned>(std::span(&sum, 1), std::span(&want, 1));
}

/// Footprints from 16 KiB to 1 GiB, in ints.
inline const std::vector<std::int64_t> footprints = {1 << 12, 1 << 14, 1 << 15, 3 << 14,
                                                     1 << 16, 1 << 18, 1 << 20, 1 << 22,
                                                     1 << 23, 1 << 24, 1 << 25, 1 << 28};

inline const coalesce::array_definition<int, int> chase_definition{
    .name = "pointer_chase",
    .default_n = 1 << 20,
    .bench_sizes = footprints,
    .make_input = random_chain,
    .reference = [](std::span<const int>,
                    std::span<int> out) { std::fill(out.begin(), out.end(), 0); },
    .compare = coalesce::expect_equal<int>,
    .describe =
        [](std::span<const int> out) {
          return "the chain ends at place " + std::to_string(out[1]);
        },
    .outputs = [](std::int64_t) -> std::int64_t { return 2; },
    .workspace_bytes = [](std::int64_t) -> std::int64_t { return sizeof(int); },
};

inline const coalesce::array_definition<int, int> read_definition{
    .name = "read_footprint",
    .default_n = 1 << 20,
    .bench_sizes = footprints,
    .make_input = [](std::int64_t n,
                     std::uint64_t seed) { return coalesce::random_ints(n, 0, 9, seed); },
    .reference = [](std::span<const int>,
                    std::span<int> out) { std::fill(out.begin(), out.end(), 0); },
    .compare = coalesce::expect_equal<int>,
    .describe =
        [](std::span<const int> out) {
          return "the first thread's sum is " + std::to_string(out[0]);
        },
    .outputs =
        [](std::int64_t) { return std::int64_t{read_blocks_of_device()} * read_threads + 1; },
    .workspace_bytes = [](std::int64_t) -> std::int64_t { return sizeof(int); },
};

inline std::vector<coalesce::family> memory_families() {
  return {coalesce::make_family(chase_definition), coalesce::make_family(read_definition)};
}

/// Blocks of a row of read_footprint(): one, or a device full.
template <bool one_sm>
int blocks_of() {
  return one_sm ? 1 : read_blocks_of_device();
}

/// A row of read_footprint(). 	param one_sm one block, instead of a device full
template <bool one_sm>
coalesce::step read_step(std::string variant, std::string title) {
  coalesce::step s = coalesce::make_step(
      read_definition, "read_footprint",
      [](const int* d_values, std::int64_t n, int* d_sums, void* d_next, cudaStream_t stream) {
        read_footprint(d_values, n, d_sums, d_next, blocks_of<one_sm>(), stream);
      },
      std::move(title));
  s.variant = std::move(variant);
  s.modes = {coalesce::hot_stream};
  s.moves = [](std::int64_t n) {
    return coalesce::work{.bytes =
                              n < 4 ? 0.0 : 16.0 * read_turns * read_threads * blocks_of<one_sm>()};
  };
  s.check = [](coalesce::problem& p) {
    auto& reads = static_cast<coalesce::array_problem<int, int>&>(p);
    return check_reads(reads.output(), reads.input(), blocks_of<one_sm>());
  };
  return s;
}

inline std::vector<coalesce::step> memory_steps() {
  coalesce::step chase = coalesce::make_step(chase_definition, "pointer_chase", pointer_chase,
                                             "one thread follows a chain: the latency of a load");
  chase.variant = "loads:" + std::to_string(chase_loads);
  chase.modes = {coalesce::hot_stream};
  chase.moves = [](std::int64_t n) {
    return coalesce::work{.bytes = n > 0 ? sizeof(int) * double{chase_loads} : 0.0};
  };
  chase.check = [](coalesce::problem& p) {
    auto& chain = static_cast<coalesce::array_problem<int, int>&>(p);
    return check_chase(chain.output(), chain.input());
  };
  return {chase, read_step<true>("blocks:one", "one block reads round and round in one array"),
          read_step<false>("blocks:device", "a device full of blocks does so")};
}

}  // namespace chapter04
