#include "coalesce/verify.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>
#include <vector>

#include "coalesce/kernels.hpp"

namespace {

using coalesce::compare;
using coalesce::expect_equal;
using coalesce::tolerance;
using coalesce::verdict;

constexpr float nan_f = std::numeric_limits<float>::quiet_NaN();
constexpr float inf_f = std::numeric_limits<float>::infinity();
constexpr double nan_d = std::numeric_limits<double>::quiet_NaN();

verdict compare_floats(const std::vector<float>& got, const std::vector<double>& want,
                       tolerance allowed = {}) {
  return compare(std::span<const float>(got), std::span<const double>(want), allowed);
}

verdict equal_ints(const std::vector<int>& got, const std::vector<int>& want) {
  return expect_equal(std::span<const int>(got), std::span<const int>(want));
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Compare, PassesEqualValues) {
  const verdict v = compare_floats({1, -2, 0}, {1, -2, 0});
  EXPECT_TRUE(v) << v.message;
  EXPECT_EQ(v.max_relative_error, 0.0);
}

TEST(Compare, PassesNoElements) {
  EXPECT_TRUE(compare_floats({}, {}));
}

TEST(Compare, APlantedNaNFailsAndIsNamed) {
  const verdict v = compare_floats({1, 2, nan_f, 4}, {1, 2, 3, 4}, {1e30, 1e30});
  EXPECT_FALSE(v);
  EXPECT_TRUE(contains(v.message, "element 2 is nan")) << v.message;
  EXPECT_TRUE(contains(v.message, "should be 3")) << v.message;
  EXPECT_TRUE(std::isinf(v.max_relative_error));
}

TEST(Compare, InfinityFailsHoweverLargeTheTolerance) {
  EXPECT_FALSE(compare_floats({inf_f}, {1}, {1e300, 1}));
  EXPECT_FALSE(compare_floats({-inf_f}, {static_cast<double>(inf_f)}));
}

TEST(Compare, NonFinitePassesOnlyWhereTheReferenceIsTheSame) {
  EXPECT_TRUE(compare_floats({nan_f, inf_f}, {nan_d, static_cast<double>(inf_f)}));
  EXPECT_FALSE(compare_floats({1}, {nan_d}));
  EXPECT_FALSE(compare_floats({FLT_MAX}, {static_cast<double>(inf_f)}));
}

TEST(Compare, ToleranceIsEpsilonTimesMagnitude) {
  const float next = std::nextafter(1024.0f, 2048.0f);  // one epsilon above, relative
  EXPECT_TRUE(compare_floats({next}, {1024}, {1, 1}));
  EXPECT_FALSE(compare_floats({next}, {1024}, {0.5, 1}));
  EXPECT_NEAR(compare_floats({next}, {1024}).max_relative_error, FLT_EPSILON, 1e-12);
}

TEST(Compare, MagnitudeCarriesCancellation) {
  // 1e6 - 1e6 + 1e-3 in float leaves an error that is large beside the result, small beside 2e6.
  const std::vector<float> got{0.0625f};
  const std::vector<double> want{1e-3}, magnitude{2e6};
  EXPECT_FALSE(compare_floats(got, want, {1, 3}));
  EXPECT_TRUE(compare(std::span<const float>(got), std::span<const double>(want), {1, 3},
                      std::span<const double>(magnitude)));
}

TEST(Compare, LengthsThatDifferFail) {
  const verdict v = compare_floats({1}, {1, 2});
  EXPECT_FALSE(v);
  EXPECT_TRUE(contains(v.message, "1 elements, the reference has 2")) << v.message;
}

TEST(Compare, CountsAllThatAreWrongAndNamesTheFirst) {
  const verdict v = compare_floats({1, 9, 9, 4}, {1, 2, 3, 4});
  EXPECT_TRUE(contains(v.message, "element 1 is 9, should be 2")) << v.message;
  EXPECT_TRUE(contains(v.message, "2 of 4 are wrong")) << v.message;
}

// A sum of products in float, against double: the bound holds at every length, and a lost term
// breaks it.
TEST(Compare, ToleranceGrowsWithTheNumberOfTerms) {
  for (const int terms : {64, 4096, 262144}) {
    const auto a = coalesce::random_floats(terms, 0, 1, 1),
               b = coalesce::random_floats(terms, 0, 1, 2);
    float sum = 0;
    double exact = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      sum += a[i] * b[i];
      exact += static_cast<double>(a[i]) * b[i];
    }
    const tolerance allowed{1, static_cast<double>(terms)};
    EXPECT_TRUE(compare_floats({sum}, {exact}, allowed)) << terms;
    if (terms > 64) continue;
    const float lost = sum - a[0] * b[0];
    EXPECT_FALSE(compare_floats({lost}, {exact}, allowed)) << terms;
  }
}

TEST(ExpectEqual, FindsADifferenceOfOne) {
  EXPECT_TRUE(equal_ints({1, 2, 3}, {1, 2, 3}));
  EXPECT_TRUE(equal_ints({}, {}));
  const verdict v = equal_ints({1, 2, 4}, {1, 2, 3});
  EXPECT_FALSE(v);
  EXPECT_TRUE(contains(v.message, "element 2 is 4, should be 3")) << v.message;
  EXPECT_FALSE(equal_ints({1}, {}));
}

TEST(ExpectEqual, ComparesWhatDoubleCannotHold) {
  const std::vector<std::int64_t> got{(INT64_C(1) << 62) + 1}, want{INT64_C(1) << 62};
  const verdict v =
      expect_equal(std::span<const std::int64_t>(got), std::span<const std::int64_t>(want));
  EXPECT_FALSE(v);
  EXPECT_TRUE(contains(v.message, "4611686018427387905")) << v.message;
}

TEST(Poison, MakesFloatsNaNAndIntegersASentinel) {
  std::vector<float> floats(3, 1.0f);
  std::vector<double> doubles(3, 1.0);
  std::vector<int> ints(3, 1);
  coalesce::poison(std::span<float>(floats));
  coalesce::poison(std::span<double>(doubles));
  coalesce::poison(std::span<int>(ints));
  EXPECT_TRUE(std::isnan(floats[2]));
  EXPECT_TRUE(std::isnan(doubles[2]));
  EXPECT_EQ(ints[2], static_cast<int>(0xA5A5A5A5));
}

TEST(Poison, AnElementThatNoKernelWroteIsFound) {
  for (const std::int64_t n : {1, 255, 256, 257, 1000}) {
    coalesce::device_buffer<float> out(n);
    coalesce::poison(out);
    coalesce_test::fill_all_but_last(out.data(), n, 2.0f);
    const std::vector<float> got = coalesce::to_host(out);
    const auto last = static_cast<std::size_t>(n - 1);
    EXPECT_EQ(coalesce::still_poisoned(std::span<const float>(got)), last);
    const verdict v = compare_floats(got, std::vector<double>(got.size(), 2.0), {1e9, 1e9});
    EXPECT_FALSE(v);
    EXPECT_TRUE(contains(v.message, "never written")) << v.message;
  }
}

TEST(Poison, IsGoneWhereEveryElementWasWritten) {
  coalesce::device_buffer<int> out(1025);
  coalesce::poison(out);
  coalesce_test::fill(out.data(), out.size(), 0);
  const std::vector<int> got = coalesce::to_host(out);
  EXPECT_FALSE(coalesce::still_poisoned(std::span<const int>(got)).has_value());
}

TEST(Random, SeedsAreFresh) {
  EXPECT_NE(coalesce::fresh_seed(), coalesce::fresh_seed());
}

TEST(Random, ElementDependsOnSeedAndIndexOnly) {
  const auto few = coalesce::random_ints(1001, -50, 50, 42);
  const auto many = coalesce::random_ints(3000001, -50, 50, 42);  // enough for several threads
  EXPECT_TRUE(std::equal(few.begin(), few.end(), many.begin()));
  EXPECT_NE(coalesce::random_ints(1001, -50, 50, 43), few);
  const auto few_floats = coalesce::random_floats(1001, -1, 1, 42);
  const auto many_floats = coalesce::random_floats(3000001, -1, 1, 42);
  EXPECT_TRUE(std::equal(few_floats.begin(), few_floats.end(), many_floats.begin()));
}

TEST(Random, IntegersCoverTheRangeWithBothEnds) {
  const auto values = coalesce::random_ints(10000, -3, 3, coalesce::fresh_seed());
  EXPECT_EQ(std::set<int>(values.begin(), values.end()), (std::set<int>{-3, -2, -1, 0, 1, 2, 3}));
}

TEST(Random, IntegersTakeTheWholeRangeOfInt) {
  const auto values = coalesce::random_ints(10000, INT32_MIN, INT32_MAX, 5);
  EXPECT_LT(*std::min_element(values.begin(), values.end()), -2000000000);
  EXPECT_GT(*std::max_element(values.begin(), values.end()), 2000000000);
  EXPECT_EQ(coalesce::random_ints(3, 7, 7, 1), std::vector<int>(3, 7));
}

TEST(Random, FloatsAreEvenAndBelowTheUpperEnd) {
  const auto values = coalesce::random_floats(100000, -1, 1, coalesce::fresh_seed());
  double sum = 0;
  for (const float v : values) {
    ASSERT_GE(v, -1.0f);
    ASSERT_LT(v, 1.0f);
    sum += v;
  }
  EXPECT_NEAR(sum / 100000, 0.0, 0.02);  // ten standard errors
  for (const float v : coalesce::random_floats(1000, 1e8f, std::nextafter(1e8f, 2e8f), 1))
    ASSERT_EQ(v, 1e8f);
}

TEST(Random, NoElementsAreLegalAndBadRangesAreNot) {
  EXPECT_TRUE(coalesce::random_ints(0, 0, 1, 1).empty());
  EXPECT_TRUE(coalesce::random_floats(0, 0, 1, 1).empty());
  EXPECT_THROW((void)coalesce::random_ints(1, 2, 1, 1), std::invalid_argument);
  EXPECT_THROW((void)coalesce::random_ints(-1, 0, 1, 1), std::invalid_argument);
  EXPECT_THROW((void)coalesce::random_floats(1, 1, 1, 1), std::invalid_argument);
  EXPECT_THROW((void)coalesce::random_floats(1, 0, inf_f, 1), std::invalid_argument);
  EXPECT_THROW((void)coalesce::random_floats(1, -FLT_MAX, FLT_MAX, 1), std::invalid_argument);
}

}  // namespace
