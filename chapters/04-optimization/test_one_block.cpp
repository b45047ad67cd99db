// What the sum on one block promises beyond right answers: 64 bits, any pointer, any number of threads;
// and that its check finds a thread that wrote nothing.
#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "captured.hpp"
#include "coalesce/device.hpp"
#include "coalesce/launch.hpp"
#include "one_block_table.hpp"

namespace chapter04 {
namespace {

/// Sum by one of the four steps; the unrolled ones by `unroll`.
std::int64_t sum_by(const std::string& step, const int* d_values, std::int64_t n, int threads,
                    int unroll = 4) {
  coalesce::device_buffer<std::int64_t> d_partials(most_threads);
  coalesce::poison(d_partials);
  if (step == "contiguous") contiguous(d_values, n, d_partials.data(), threads, nullptr);
  if (step == "strided") strided(d_values, n, d_partials.data(), threads, nullptr);
  if (step == "contiguous_unrolled")
    contiguous_unrolled(d_values, n, d_partials.data(), threads, unroll, nullptr);
  if (step == "strided_unrolled")
    strided_unrolled(d_values, n, d_partials.data(), threads, unroll, nullptr);
  const auto partials = coalesce::to_host(d_partials);
  EXPECT_EQ(coalesce::still_poisoned(
                std::span<const std::int64_t>(partials).first(static_cast<std::size_t>(threads))),
            std::nullopt);
  return sum_of_written(partials);
}

class one_block : public ::testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(every, one_block,
                         ::testing::Values("contiguous", "strided", "contiguous_unrolled",
                                           "strided_unrolled"));

TEST_P(one_block, adds_in_64_bits) {
  const auto d_values = coalesce::to_device(std::vector<int>(1000, 100'000));
  EXPECT_EQ(sum_by(GetParam(), d_values.data(), 1000, 64), 10'000'000'000'000);
}

TEST_P(one_block, takes_any_number_of_threads_and_any_pointer) {
  const auto values = coalesce::random_ints(5000, -1000, 1000, coalesce::fresh_seed());
  const auto d_values = coalesce::to_device(values);
  for (const int threads : {1, 7, 32, 33, 1000, 1024})
    for (const std::int64_t first : {0, 1, 3})
      EXPECT_EQ(sum_by(GetParam(), d_values.data() + first, 4001, threads),
                sum_of_squares(std::span(values).subspan(static_cast<std::size_t>(first), 4001)))
          << threads << " threads from element " << first;
}

TEST_P(one_block, takes_fewer_elements_than_threads) {
  const auto d_values = coalesce::to_device(std::vector<int>{1, 2, 3, 4, 5});
  for (std::int64_t n = 0; n <= 5; ++n)
    EXPECT_EQ(sum_by(GetParam(), d_values.data(), n, 512, 16), n * (n + 1) * (2 * n + 1) / 6);
}

TEST_P(one_block, refuses_more_threads_than_a_block_may_have) {
  const auto d_values = coalesce::to_device(std::vector<int>{1});
  EXPECT_THROW(sum_by(GetParam(), d_values.data(), 1, 1025), coalesce::launch_error);
}

TEST_P(one_block, counts_beyond_32_bits) {
  if (coalesce::on_cpu_device()) GTEST_SKIP() << "2^31 elements are a matter of minutes here";
  const std::int64_t n = (std::int64_t{1} << 31) + 5;
  if (coalesce::refuse_elements(n, sizeof(int))) GTEST_SKIP() << "8 GiB of memory are not free";
  coalesce::device_buffer<int> d_values(n);
  d_values.fill_bytes(0);
  const std::vector<int> last(7, 3);
  COALESCE_CHECK(
      cudaMemcpy(d_values.data() + n - 7, last.data(), 7 * sizeof(int), cudaMemcpyHostToDevice));
  EXPECT_EQ(sum_by(GetParam(), d_values.data(), n, 1024, 16), 7 * 9);
}

TEST(unrolling, is_by_one_of_five_numbers) {
  const auto d_values = coalesce::to_device(coalesce::random_ints(1000, 0, 9, 1));
  const std::int64_t want = sum_by("contiguous", d_values.data(), 1000, 32);
  for (const int unroll : {1, 2, 4, 8, 16})
    for (const char* step : {"contiguous_unrolled", "strided_unrolled"})
      EXPECT_EQ(sum_by(step, d_values.data(), 1000, 32, unroll), want);
  for (const int unroll : {0, 3, 32})
    for (const char* step : {"contiguous_unrolled", "strided_unrolled"})
      EXPECT_THROW(sum_by(step, d_values.data(), 1000, 32, unroll), std::invalid_argument);
}

TEST(check_of_partial_sums, finds_what_is_missing_and_what_is_too_much) {
  const std::vector<int> values{1, 2, 3};
  std::vector<std::int64_t> partials(8);
  coalesce::poison(std::span(partials));
  partials[0] = 5;
  partials[1] = 9;
  EXPECT_TRUE(check_partials(partials, values, 2));
  EXPECT_EQ(check_partials(partials, values, 3).message, "thread 2 wrote no partial sum");
  EXPECT_FALSE(check_partials(partials, values, 1));
  partials[1] = 8;
  EXPECT_FALSE(check_partials(partials, values, 2));
  EXPECT_FALSE(check_partials(std::span(partials).subspan(2), {}, 2)) << "nobody wrote anything";
}

TEST(one_block_clock_step, adds_up_and_says_what_it_needs) {
  const auto [code, text] = coalesce::testing::output_of(one_block_clock, 1000);
  EXPECT_EQ(code, 0) << text;
  EXPECT_EQ(text.find("needs a GPU") != std::string::npos, coalesce::on_cpu_device()) << text;
}

}  // namespace
}  // namespace chapter04
