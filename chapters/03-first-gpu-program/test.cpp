#include <array>
#include <cstdint>
#include <vector>

#include "captured.hpp"
#include "chapter_test.hpp"
#include "coalesce/device.hpp"
#include "overflow.hpp"
#include "table.hpp"

COALESCE_TEST_EVERY_STEP(chapter03::this_chapter());

namespace chapter03 {
namespace {

/// The digits 0..9 over and over: ten of them add 285 to the sum of squares.
std::vector<int> digits(std::int64_t n) {
  std::vector<int> values(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i)
    values[static_cast<std::size_t>(i)] = static_cast<int>(i % 10);
  return values;
}

// The reference is what every step and the baseline of one thread is compared with, so it is compared
// with closed forms.
TEST(reference, agrees_with_closed_forms) {
  EXPECT_EQ(sum_of_squares({}), 0);
  EXPECT_EQ(sum_of_squares(digits(10)), 285);
  EXPECT_EQ(sum_of_squares(digits(1'000'000)), 28'500'000);
  EXPECT_EQ(sum_of_squares(std::vector<int>{-3, 4}), 25);
}

TEST(reference, holds_squares_and_sums_beyond_32_bits) {
  EXPECT_EQ(sum_of_squares(std::vector<int>{INT32_MIN}), std::int64_t{1} << 62);
  EXPECT_EQ(sum_of_squares(std::vector<int>(1000, 100'000)), 10'000'000'000'000);
}

class step_with_large_values : public ::testing::TestWithParam<const char*> {};

// 0..9 would not show a square or a sum of 32 bits at the sizes of the other tests.
TEST_P(step_with_large_values, needs_64_bits) {
  const std::vector<int> values(1000, 100'000);
  const auto d_values = coalesce::to_device(values);
  coalesce::device_buffer<std::int64_t> d_sum(1);
  coalesce::poison(d_sum);
  sum_step* const run =
      std::string_view(GetParam()) == "one_thread" ? one_thread : one_thread_no_unroll;
  run(d_values.data(), 1000, d_sum.data(), nullptr);
  EXPECT_EQ(coalesce::to_host(d_sum)[0], 10'000'000'000'000);
}

INSTANTIATE_TEST_SUITE_P(chapter, step_with_large_values,
                         ::testing::Values("one_thread", "one_thread_no_unroll"));

TEST(baseline, of_all_cores_splits_any_size) {
  for (const std::int64_t n : {0, 1, 2, 3, 7, 63, 64, 65, 1000}) {
    std::array<std::int64_t, 1> sum{-1};
    cpu_all_cores(digits(n), sum);
    EXPECT_EQ(sum[0], sum_of_squares(digits(n))) << "n = " << n;
  }
}

// The sizes that the text names. No memory is needed: n nines, and n digits in the mean.
TEST(overflow_limits, are_the_first_sizes_that_do_not_fit) {
  EXPECT_EQ(wraps_at_worst, 26'512'144);
  EXPECT_LE((wraps_at_worst - 1) * 81, int32_max);
  EXPECT_GT(wraps_at_worst * 81, int32_max);
  EXPECT_EQ(wraps_in_the_mean, 75'350'304);
  EXPECT_LE((wraps_in_the_mean - 1) * 285, int32_max * 10);
  EXPECT_GT(wraps_in_the_mean * 285, int32_max * 10);
}

TEST(overflow_limits, wrap_to_a_negative_number) {
  const auto wrapped = [](std::int64_t sum) {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(sum));
  };
  EXPECT_EQ(wrapped((wraps_at_worst - 1) * 81), (wraps_at_worst - 1) * 81);
  EXPECT_LT(wrapped(wraps_at_worst * 81), 0);
}

using coalesce::testing::output_of;
using coalesce::testing::shown;

TEST(show, allocate_copy_free_answers_success_everywhere) {
  for (const std::int64_t n : {0, 1, 1000}) {
    const shown seen = output_of(allocate_copy_free, n);
    EXPECT_EQ(seen.code, 0) << seen.text;
    EXPECT_EQ(seen.text.find("cudaError"), std::string::npos) << seen.text;
  }
}

TEST(show, overflow_finds_two_wrong_programs_that_agree) {
  const shown seen = output_of(overflow, 0);
  EXPECT_EQ(seen.code, 0);
  for (const char* line : {"32 bits: device 2147483583, host 2147483583: they agree",
                           "64 bits: 2147483583: 32 bits are right",
                           "32 bits: device -2147483632, host -2147483632: they agree",
                           "64 bits: 2147483664: 32 bits are wrong"})
    EXPECT_NE(seen.text.find(line), std::string::npos) << line << " is not in\n" << seen.text;
}

TEST(show, clocks_run_or_say_why_not) {
  for (show_step* step :
       {one_thread_clock, timing_three_ways, launch_queue, first_launch, one_load}) {
    const shown seen = output_of(step, 1000);
    EXPECT_EQ(seen.code, 0) << seen.text;
    EXPECT_EQ(seen.text.find("needs a GPU") != std::string::npos, coalesce::on_cpu_device())
        << seen.text;
  }
}

}  // namespace
}  // namespace chapter03
