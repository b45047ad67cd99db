#pragma once

#include <gtest/gtest.h>

#include <cctype>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "coalesce/chapter.hpp"

namespace coalesce::testing {

/// Sizes at the edges of warps and blocks, a prime, and one that fills a device a little.
inline const std::vector<std::int64_t> edge_sizes = {0,    1,    31,   32,    33,
                                                     1023, 1024, 1025, 99991, 1 << 20};

using step_and_size = std::tuple<const step*, std::int64_t>;

/// Sizes beyond this are for the first row of a name: further settings of a step differ in a number.
inline constexpr std::int64_t most_for_settings = 1025;

/// Every step of a chapter that has an answer to check, with every size it accepts.
inline std::vector<step_and_size> checked_cases(const chapter& c) {
  std::vector<step_and_size> cases;
  const step* before = nullptr;
  for (const step& s : c.steps) {
    const bool further_setting = before != nullptr && before->name == s.name;
    before = &s;
    for (const std::int64_t n : edge_sizes)
      if (s.kind != step_kind::show && n >= s.least_n && n <= s.most_n &&
          (!further_setting || n <= most_for_settings))
        cases.emplace_back(&s, n);
  }
  return cases;
}

inline std::string case_name(const ::testing::TestParamInfo<step_and_size>& info) {
  std::string name = std::get<0>(info.param)->full_name();
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name + "_n" + std::to_string(std::get<1>(info.param));
}

/// Runs the step twice on different inputs: a second right answer cannot be left over from the first.
inline void expect_right_answers(const chapter& c, const step_and_size& which) {
  const auto& [s, n] = which;
  if (const auto sentence = refuse_step(*s)) GTEST_SKIP() << *sentence;
  const auto p = c.family_of(*s).make(n);
  for (int round = 0; round < 2; ++round) {
    const std::uint64_t seed = fresh_seed();
    const verdict checked = run_checked(*s, *p, seed);
    EXPECT_TRUE(checked.ok) << s->name << ", n = " << n << ", seed " << seed << ": "
                            << checked.message;
  }
}

}  // namespace coalesce::testing

/// One test a step and size of `the_chapter`; the body of a chapter's test.cpp.
#define COALESCE_TEST_EVERY_STEP(the_chapter)                                                  \
  class every_step : public ::testing::TestWithParam<coalesce::testing::step_and_size> {};     \
  TEST_P(every_step, gives_the_right_answer) {                                                 \
    coalesce::testing::expect_right_answers(the_chapter, GetParam());                          \
  }                                                                                            \
  INSTANTIATE_TEST_SUITE_P(chapter, every_step,                                                \
                           ::testing::ValuesIn(coalesce::testing::checked_cases(the_chapter)), \
                           coalesce::testing::case_name)
