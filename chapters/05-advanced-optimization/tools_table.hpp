#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "coalesce/array_family.hpp"
#include "steps.hpp"
#include "tool_ways.hpp"

namespace chapter05 {

inline std::vector<std::uint32_t> random_words(std::int64_t n, std::uint64_t seed) {
  const std::vector<std::int32_t> drawn = coalesce::random_ints(n, INT32_MIN, INT32_MAX, seed);
  return {drawn.begin(), drawn.end()};
}

inline std::string first_of(std::span<const std::uint32_t> out) {
  return out.empty() ? "no elements" : "the first of the answers is " + std::to_string(out[0]);
}

inline std::string first_int_of(std::span<const int> out) {
  return out.empty() ? "no elements" : "the first of the answers is " + std::to_string(out[0]);
}

inline void count_values(std::span<const int> in, std::span<std::uint32_t> out) {
  std::ranges::fill(out, 0u);
  for (const int value : in) ++out[static_cast<std::size_t>(value)];
}

inline const coalesce::array_definition<int, int> reverse_blocks{
    .name = "reverse_blocks",
    .default_n = 1 << 16,
    .bench_sizes = {1 << 24},
    .make_input = [](std::int64_t n,
                     std::uint64_t seed) { return coalesce::random_ints(n, 0, 999, seed); },
    .reference =
        [](std::span<const int> in, std::span<int> out) {
          for (std::size_t first = 0; first < in.size(); first += reverse_block_size) {
            const auto size = std::min<std::size_t>(reverse_block_size, in.size() - first);
            std::ranges::reverse_copy(in.subspan(first, size), out.subspan(first, size).begin());
          }
        },
    .compare = coalesce::expect_equal<int>,
    .describe = first_int_of,
    .outputs = [](std::int64_t n) { return n; },
};

inline const coalesce::array_definition<int, std::uint32_t> count_small{
    .name = "count_small",
    .default_n = 1 << 16,
    .bench_sizes = {timed_n},
    .make_input = [](std::int64_t n,
                     std::uint64_t seed) { return coalesce::random_ints(n, 0, 9, seed); },
    .reference =
        [](std::span<const int> in, std::span<std::uint32_t> out) {
          out[0] =
              static_cast<std::uint32_t>(std::ranges::count_if(in, [](int v) { return v < 5; }));
        },
    .compare = coalesce::expect_equal<std::uint32_t>,
    .describe =
        [](std::span<const std::uint32_t> out) { return std::to_string(out[0]) + " are below 5"; },
    .outputs = [](std::int64_t) -> std::int64_t { return 1; },
};

inline const coalesce::array_definition<int, std::uint32_t> histogram{
    .name = "histogram",
    .default_n = 1 << 16,
    .bench_sizes = {1 << 24},
    .make_input = [](std::int64_t n,
                     std::uint64_t seed) { return coalesce::random_ints(n, 0, bins - 1, seed); },
    .reference = count_values,
    .compare = coalesce::expect_equal<std::uint32_t>,
    .describe =
        [](std::span<const std::uint32_t> out) {
          return "0 occurs " + std::to_string(out[0]) + " times";
        },
    .outputs = [](std::int64_t) -> std::int64_t { return bins; },
};

inline const coalesce::array_definition<int, std::uint32_t> histogram_skewed{
    .name = "histogram_skewed",
    .default_n = 1 << 16,
    .bench_sizes = {1 << 24},
    .make_input =
        [](std::int64_t n, std::uint64_t seed) {
          std::vector<int> values = coalesce::random_ints(n, 0, 16 * bins - 1, seed);
          for (int& value : values) value = value < bins ? value : 7;  // 15 of 16 elements are a 7
          return values;
        },
    .reference = count_values,
    .compare = coalesce::expect_equal<std::uint32_t>,
    .describe =
        [](std::span<const std::uint32_t> out) {
          return "7 occurs " + std::to_string(out[7]) + " times";
        },
    .outputs = [](std::int64_t) -> std::int64_t { return bins; },
};

inline const coalesce::array_definition<std::uint32_t, std::uint32_t> two_ways{
    .name = "two_ways",
    .default_n = 1 << 16,
    .bench_sizes = {timed_n},
    .make_input = random_words,
    .reference =
        [](std::span<const std::uint32_t> in, std::span<std::uint32_t> out) {
          const int turns = repeats(static_cast<std::int64_t>(in.size()), 256);
          for (std::size_t i = 0; i < in.size(); ++i)
            out[i] = i % 2 == 0 ? one_way(in[i], turns) : other_way(in[i], turns);
        },
    .compare = coalesce::expect_equal<std::uint32_t>,
    .describe = first_of,
    .outputs = [](std::int64_t n) { return n; },
};

inline const coalesce::array_definition<std::uint32_t, std::uint32_t> unequal_trips{
    .name = "unequal_trips",
    .default_n = 1 << 16,
    .bench_sizes = {timed_n},
    .make_input = random_words,
    .reference =
        [](std::span<const std::uint32_t> in, std::span<std::uint32_t> out) {
          const int turns = repeats(static_cast<std::int64_t>(in.size()));
          for (std::size_t i = 0; i < in.size(); ++i)
            out[i] = one_way(in[i], static_cast<int>(i % 32 + 1) * turns);
        },
    .compare = coalesce::expect_equal<std::uint32_t>,
    .describe = first_of,
    .outputs = [](std::int64_t n) { return n; },
};

inline const coalesce::array_definition<std::uint32_t, std::uint32_t> ways_in_turns{
    .name = "many_ways",
    .default_n = 1 << 16,
    .bench_sizes = {timed_n},
    .make_input = random_words,
    .reference =
        [](std::span<const std::uint32_t> in, std::span<std::uint32_t> out) {
          const int turns = repeats(static_cast<std::int64_t>(in.size()), 256);
          for (std::size_t i = 0; i < in.size(); ++i) out[i] = one_way(in[i], turns);
        },
    .compare = coalesce::expect_equal<std::uint32_t>,
    .describe = first_of,
    .outputs = [](std::int64_t n) { return n; },
};

inline const coalesce::array_definition<int, std::uint32_t> tile_sums{
    .name = "tile_sums",
    .default_n = 1 << 16,
    .bench_sizes = {timed_n},
    .make_input = [](std::int64_t n,
                     std::uint64_t seed) { return coalesce::random_ints(n, 0, 9, seed); },
    .reference =
        [](std::span<const int> in, std::span<std::uint32_t> out) {
          const auto passes =
              static_cast<std::uint32_t>(repeats(static_cast<std::int64_t>(in.size())));
          std::ranges::fill(out, 0u);
          for (std::size_t i = 0; i < in.size(); ++i)
            out[i / (tile_side * tile_side)] += passes * static_cast<std::uint32_t>(in[i]);
        },
    .compare = coalesce::expect_equal<std::uint32_t>,
    .describe = first_of,
    .outputs =
        [](std::int64_t n) { return (n + tile_side * tile_side - 1) / (tile_side * tile_side); },
};

inline const coalesce::array_definition<int, std::int32_t> warp_sums{
    .name = "warp_sums",
    .default_n = 1 << 16,
    .bench_sizes = {timed_n},
    .make_input = [](std::int64_t n,
                     std::uint64_t seed) { return coalesce::random_ints(n, -999, 999, seed); },
    .reference =
        [](std::span<const int> in, std::span<std::int32_t> out) {
          std::ranges::fill(out, 0);
          for (std::size_t i = 0; i < in.size(); ++i) out[i / warp_lanes] += in[i];
        },
    .compare = coalesce::expect_equal<std::int32_t>,
    .describe = first_int_of,
    .outputs = [](std::int64_t n) { return (n + warp_lanes - 1) / warp_lanes; },
};

inline std::vector<coalesce::family> tools_families() {
  using coalesce::make_family;
  return {make_family(reverse_blocks),   make_family(count_small), make_family(histogram),
          make_family(histogram_skewed), make_family(two_ways),    make_family(unequal_trips),
          make_family(ways_in_turns),    make_family(tile_sums),   make_family(warp_sums)};
}

/// A row of a step with a setting: its name, variant "key:value", and hot launches only.
template <class Definition, class Run>
coalesce::step with_setting(const Definition& definition, const std::string& name,
                            const std::string& key, int value, Run* run, const std::string& title) {
  coalesce::step s =
      coalesce::make_step(definition, name, run, title + ", " + key + " " + std::to_string(value));
  s.variant = key + ":" + std::to_string(value);
  return s;
}

template <int ways>
coalesce::step ways_row() {
  return with_setting(
      ways_in_turns, "many_ways", "ways", ways,
      +[](const std::uint32_t* d_in, std::int64_t n, std::uint32_t* d_out, cudaStream_t stream) {
        many_ways(ways, d_in, n, d_out, stream);
      },
      "the lanes of a warp go in turns");
}

template <int pitch>
coalesce::step row_by_4_bytes() {
  return with_setting(
      tile_sums, "rows_by_4_bytes", "pitch", pitch,
      +[](const int* d_in, std::int64_t n, std::uint32_t* d_sums, cudaStream_t stream) {
        rows_by_4_bytes(pitch, d_in, n, d_sums, stream);
      },
      "thread t reads row t");
}

template <int pitch>
coalesce::step row_by_16_bytes() {
  return with_setting(
      tile_sums, "rows_by_16_bytes", "pitch", pitch,
      +[](const int* d_in, std::int64_t n, std::uint32_t* d_sums, cudaStream_t stream) {
        rows_by_16_bytes(pitch, d_in, n, d_sums, stream);
      },
      "thread t reads row t, 16 bytes at a time");
}

inline std::vector<coalesce::step> tools_steps() {
  using coalesce::make_show, coalesce::make_step;
  std::vector<coalesce::step> steps = {
      make_step(reverse_blocks, "reverse_direct", reverse_direct,
                "each thread fetches its element from where it is"),
      make_step(reverse_blocks, "reverse_shared", reverse_shared,
                "through shared memory, with a barrier"),
      make_step(count_small, "count_by_thread", count_by_thread, "one atomic a thread that counts"),
      make_step(count_small, "count_by_warp", count_by_warp, "one atomic a warp"),
      make_step(count_small, "count_by_block", count_by_block, "one atomic a block"),
      make_step(histogram, "histogram_global", histogram_global, "atomics on global memory"),
      make_step(histogram, "histogram_shared", histogram_shared, "a private histogram a block"),
      make_step(histogram, "histogram_copies", histogram_copies, "a private histogram a warp"),
      make_step(histogram_skewed, "skewed_global", histogram_global,
                "atomics on global memory, most of them at one place"),
      make_step(histogram_skewed, "skewed_shared", histogram_shared,
                "a private histogram a block, most elements alike"),
      make_step(histogram_skewed, "skewed_copies", histogram_copies,
                "a private histogram a warp, most elements alike"),
      make_show("order_of_additions", order_of_additions,
                "atomic sums in different orders, of ints and of floats"),
      make_show("message_passing", message_passing,
                "data and flag from block to block, with fences"),
      make_step(two_ways, "two_ways_by_lane", two_ways_by_lane, "t % 2 decides the way"),
      make_step(two_ways, "two_ways_by_warp", two_ways_by_warp, "t / 32 decides the way"),
      make_step(unequal_trips, "trips_by_lane", trips_by_lane, "32 trip counts in each warp"),
      make_step(unequal_trips, "trips_by_warp", trips_by_warp, "one trip count a warp"),
      ways_row<1>(),
      ways_row<2>(),
      ways_row<4>(),
      ways_row<8>(),
      ways_row<16>(),
      ways_row<32>(),
      make_step(warp_sums, "warp_sum_shared", warp_sum_shared,
                "lanes exchange through shared memory, with __syncwarp"),
      make_step(warp_sums, "warp_sum_shuffle", warp_sum_shuffle, "lanes exchange by shuffle"),
  };
  // Pitch 32 is a tile without padding; 33 … 63 are strides of 1 … 31 banks.
  const auto add = [&steps](coalesce::step s) { steps.push_back(std::move(s)); };
  [&]<int... padding>(std::integer_sequence<int, padding...>) {
    (add(row_by_4_bytes<32 + padding>()), ...);
  }(std::make_integer_sequence<int, 32>());
  [&]<int... fours>(std::integer_sequence<int, fours...>) {
    (add(row_by_16_bytes<32 + 4 * fours>()), ...);
  }(std::make_integer_sequence<int, 8>());
  for (coalesce::step& s : steps) s.modes = {coalesce::hot_stream};
  return steps;
}

}  // namespace chapter05
