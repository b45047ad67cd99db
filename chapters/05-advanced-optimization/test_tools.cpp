// What the tools of the chapter promise beyond right answers at the usual sizes.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "captured.hpp"
#include "coalesce/device.hpp"
#include "coalesce/verify.hpp"
#include "table.hpp"

namespace chapter05 {
namespace {

// The references are what every step is compared with, so they are compared with answers made by hand.
TEST(tools_reference, reverses_full_blocks_and_the_rest) {
  std::vector<int> in(reverse_block_size + 3), out(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int>(i);
  reverse_blocks.reference(in, out);
  EXPECT_EQ(out[0], 255);
  EXPECT_EQ(out[255], 0);
  EXPECT_EQ(out[256], 258);
  EXPECT_EQ(out[258], 256);
}

TEST(tools_reference, counts_values) {
  std::vector<std::uint32_t> seen(bins);
  histogram.reference(std::vector<int>{0, 255, 7, 255}, seen);
  EXPECT_EQ(seen[0], 1u);
  EXPECT_EQ(seen[7], 1u);
  EXPECT_EQ(seen[255], 2u);
  EXPECT_EQ(seen[1], 0u);
}

TEST(tools_reference, skewed_input_is_mostly_one_value) {
  const std::vector<int> values = histogram_skewed.make_input(100'000, 1);
  const auto sevens = std::ranges::count(values, 7);
  EXPECT_GT(sevens, 92'000);
  EXPECT_LT(sevens, 96'000);
}

TEST(tools_reference, goes_two_ways) {
  std::vector<std::uint32_t> out(2);
  two_ways.reference(std::vector<std::uint32_t>{1, 1}, out);
  EXPECT_NE(out[0], out[1]);
  EXPECT_EQ(one_way(1, 1), 1664525u + 1013904223u);
  EXPECT_EQ(other_way(1, 1), 741103597u);
  EXPECT_EQ(one_way(5, 0), 5u);
}

TEST(tools_reference, adds_up_tiles_and_warps) {
  std::vector<std::uint32_t> tiles(2);
  tile_sums.reference(std::vector<int>(1025, 3), tiles);
  EXPECT_EQ(tiles, (std::vector<std::uint32_t>{3072, 3}));
  std::vector<std::int32_t> warps(2);
  warp_sums.reference(std::vector<int>(33, -2), warps);
  EXPECT_EQ(warps, (std::vector<std::int32_t>{-64, -2}));
}

/// Runs a step of the table by its full name on n fresh elements.
coalesce::verdict answer_of(const std::string& full_name, std::int64_t n) {
  const coalesce::chapter& c = this_chapter();
  for (const coalesce::step& s : c.steps)
    if (s.full_name() == full_name)
      return coalesce::run_checked(s, *c.family_of(s).make(n), coalesce::fresh_seed());
  return {.message = "no step " + full_name};
}

// From timed_n on the inner work is repeated: another path than that of the usual sizes.
TEST(tools, are_right_at_the_size_that_is_timed) {
  std::vector<std::string> names = {"rows_by_16_bytes/pitch:36"};
  if (!coalesce::on_cpu_device())
    names = {"two_ways_by_lane",
             "two_ways_by_warp",
             "trips_by_lane",
             "trips_by_warp",
             "many_ways/ways:32",
             "rows_by_4_bytes/pitch:33",
             "rows_by_4_bytes/pitch:32",
             "rows_by_16_bytes/pitch:36"};
  for (const std::string& name : names) {
    const coalesce::verdict checked = answer_of(name, timed_n);
    EXPECT_TRUE(checked.ok) << name << ": " << checked.message;
  }
}

TEST(tools, count_all_and_none) {
  using run = void (*)(const int*, std::int64_t, std::uint32_t*, cudaStream_t);
  for (const run count : {count_by_thread, count_by_warp, count_by_block})
    for (const int value : {0, 9}) {
      const auto d_in = coalesce::to_device(std::vector<int>(1000, value));
      coalesce::device_buffer<std::uint32_t> d_count(1);
      coalesce::poison(d_count);
      count(d_in.data(), 1000, d_count.data(), nullptr);
      EXPECT_EQ(coalesce::to_host(d_count)[0], value == 0 ? 1000u : 0u);
    }
}

TEST(tools, histograms_hold_one_value_only) {
  using run = void (*)(const int*, std::int64_t, std::uint32_t*, cudaStream_t);
  for (const run count : {histogram_global, histogram_shared, histogram_copies})
    for (const int value : {0, 255}) {
      const auto d_in = coalesce::to_device(std::vector<int>(70'000, value));
      coalesce::device_buffer<std::uint32_t> d_bins(bins);
      coalesce::poison(d_bins);
      count(d_in.data(), 70'000, d_bins.data(), nullptr);
      std::vector<std::uint32_t> want(bins);
      want[static_cast<std::size_t>(value)] = 70'000;
      EXPECT_EQ(coalesce::to_host(d_bins), want);
    }
}

using coalesce::testing::output_of;
using coalesce::testing::shown;

TEST(tools, show_that_ints_have_one_sum_and_floats_several) {
  const shown seen = output_of(order_of_additions);
  EXPECT_EQ(seen.code, 0) << seen.text;
  EXPECT_NE(seen.text.find("sums of ints:    1 different one\n"), std::string::npos) << seen.text;
}

TEST(tools, show_no_torn_message_where_there_are_fences) {
  const shown seen = output_of(message_passing);
  EXPECT_EQ(seen.code, 0) << seen.text;
  EXPECT_NE(seen.text.find("without the data:       0\n"), std::string::npos) << seen.text;
}

}  // namespace
}  // namespace chapter05
