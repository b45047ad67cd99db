#include "coalesce/statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <stdexcept>
#include <vector>

namespace {

using coalesce::median;
using coalesce::median_interval_95;

std::vector<double> one_to(int n) {
  std::vector<double> values(static_cast<std::size_t>(n));
  std::iota(values.begin(), values.end(), 1.0);
  return values;
}

TEST(Median, OfAnOddCountIsTheMiddle) {
  EXPECT_EQ(median(std::vector{3.0, 1.0, 2.0}), 2.0);
}

TEST(Median, OfAnEvenCountIsTheMeanOfTwo) {
  EXPECT_EQ(median(std::vector{4.0, 1.0, 2.0, 3.0}), 2.5);
}

TEST(Median, IsNotMovedByAnOutlier) {
  EXPECT_EQ(median(std::vector{1.0, 2.0, 1e9}), 2.0);
}

TEST(Median, RefusesNothingAndNaN) {
  EXPECT_THROW((void)median({}), std::invalid_argument);
  EXPECT_THROW((void)median(std::vector{1.0, std::nan("")}), std::invalid_argument);
  EXPECT_THROW((void)median(std::vector{std::numeric_limits<double>::infinity()}),
               std::invalid_argument);
}

TEST(MedianInterval, NeedsSixSamples) {
  EXPECT_FALSE(median_interval_95(one_to(0)).has_value());
  EXPECT_FALSE(median_interval_95(one_to(5)).has_value());
  EXPECT_TRUE(median_interval_95(one_to(6)).has_value());
}

// Ranks from the published table for 95 % (Le Boudec, table A.1): n, lower rank, upper rank.
TEST(MedianInterval, HasTheRanksOfThePublishedTable) {
  const int table[][3] = {{6, 1, 6},    {7, 1, 7},    {8, 1, 8},    {9, 2, 8},   {10, 2, 9},
                          {11, 2, 10},  {12, 3, 10},  {15, 4, 12},  {20, 6, 15}, {25, 8, 18},
                          {30, 10, 21}, {40, 14, 27}, {50, 18, 33}, {70, 27, 44}};
  for (const auto& row : table) {
    const auto i = median_interval_95(one_to(row[0]));
    ASSERT_TRUE(i.has_value()) << row[0];
    EXPECT_EQ(i->low, row[1]) << row[0];
    EXPECT_EQ(i->high, row[2]) << row[0];
  }
}

TEST(MedianInterval, HoldsTheTrueMedianAtLeastNineteenTimesInTwenty) {
  std::mt19937_64 random(7);
  std::exponential_distribution<double> skewed(1.0);  // its median is log 2
  int held = 0;
  constexpr int trials = 4000;
  for (int t = 0; t < trials; ++t) {
    std::vector<double> sample(31);
    for (double& x : sample) x = skewed(random);
    held += median_interval_95(sample)->contains(std::log(2.0));
  }
  EXPECT_GE(held, trials * 94 / 100);
}

TEST(MedianInterval, OfManySamplesIsNarrow) {
  const auto i = median_interval_95(one_to(100000));
  ASSERT_TRUE(i.has_value());
  EXPECT_GT(i->low, 49500);
  EXPECT_LT(i->high, 50500);
}

TEST(RatioByPairs, AboveOneMeansOursIsFaster) {
  const std::vector<double> theirs{2, 4, 6, 8, 10, 12}, ours{1, 2, 3, 4, 5, 6};
  const coalesce::ratio r = coalesce::median_ratio_by_pairs(theirs, ours);
  EXPECT_EQ(r.value, 2.0);
  ASSERT_TRUE(r.range.has_value());
  EXPECT_EQ(r.range->low, 2.0 * (1 - coalesce::pair_resolution));
  EXPECT_EQ(r.range->high, 2.0 * (1 + coalesce::pair_resolution));
}

TEST(RatioByPairs, DriftThatBothSidesShareCancels) {
  std::vector<double> theirs, ours;
  for (int i = 0; i < 30; ++i) {
    const double drift = 1.0 + 0.05 * i;  // the clock falls to less than half
    theirs.push_back(1.1 * drift);
    ours.push_back(drift);
  }
  const coalesce::ratio r = coalesce::median_ratio_by_pairs(theirs, ours);
  EXPECT_NEAR(r.value, 1.1, 1e-12);
  EXPECT_NEAR(r.range->high - r.range->low, 2 * 1.1 * coalesce::pair_resolution, 1e-12);
}

TEST(RatioByPairs, RefusesWhatDoesNotPair) {
  const std::vector<double> one{1.0}, two{1.0, 2.0}, zero{0.0};
  EXPECT_THROW((void)coalesce::median_ratio_by_pairs(one, two), std::invalid_argument);
  EXPECT_THROW((void)coalesce::median_ratio_by_pairs({}, {}), std::invalid_argument);
  EXPECT_THROW((void)coalesce::median_ratio_by_pairs(one, zero), std::invalid_argument);
}

}  // namespace
