#pragma once

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "grading/cases.hpp"
#include "lab.hpp"

/// The check of least_bytes() and best_shape(), the latter on samples that are made up.
namespace lab53::check {

using coalesce::lab::outcome;
using samples = std::vector<double>;

// Bytes -----------------------------------------------------------------------------------------

inline outcome check_bytes(std::int64_t rows, std::int64_t cols) {
  const std::int64_t got = least_bytes(rows, cols), n = rows * cols, want = 12 * n;
  const std::string text = "the answer is " + std::to_string(got) + " bytes for " +
                           std::to_string(rows) + " rows of " + std::to_string(cols) +
                           " columns, and it should be " + std::to_string(want);
  if (got == want) return {};
  if (got == 8 * n) return {"two_arrays", text};
  if (got == 3 * n) return {"elements_for_bytes", text};
  if (static_cast<std::uint32_t>(got) == static_cast<std::uint32_t>(want))
    return {"wraps_at_32_bits", text};
  return {"wrong_value", text};
}

// Samples ---------------------------------------------------------------------------------------

/// `count` samples within 1 % of `seconds`, in any order, each different.
inline samples around(double seconds, int count, std::mt19937_64& random) {
  samples all;
  for (int i = 0; i < count; ++i) all.push_back(seconds * (1 + 0.02 * (i + 0.5) / count - 0.01));
  std::shuffle(all.begin(), all.end(), random);
  return all;
}

/// The last `many` samples become `factor` times as long.
inline samples with_outliers(samples all, std::size_t many, double factor) {
  for (std::size_t i = all.size() - many; i < all.size(); ++i) all[i] *= factor;
  return all;
}

/// What came of each shape, and what must be concluded.
struct story {
  std::vector<trial> trials;
  int winner = 0;
  std::vector<int> equals = {};
  int trap = -1;            ///< a shape that must not win
  const char* reason = "";  ///< code, when it does
};

inline std::string in_words(const std::vector<int>& numbers) {
  std::string text;
  for (const int one : numbers) text += (text.empty() ? "" : ", ") + std::to_string(one);
  return text.empty() ? "none" : text;
}

inline outcome judge(const story& s) {
  std::vector<dim3> shapes;
  for (unsigned i = 0; i < s.trials.size(); ++i) shapes.push_back({1u << i, 3});
  std::vector<int> tried(s.trials.size());
  const choice got = best_shape(shapes, [&](dim3 block) {
    const auto at = std::find_if(shapes.begin(), shapes.end(),
                                 [&](dim3 one) { return one.x == block.x && one.y == block.y; });
    if (at == shapes.end()) return trial{.status = cudaErrorInvalidConfiguration};
    const auto i = static_cast<std::size_t>(at - shapes.begin());
    ++tried[i];
    return s.trials[i];
  });
  for (std::size_t i = 0; i < tried.size(); ++i)
    if (tried[i] != 1)
      return {"not_tried_once",
              "shape " + std::to_string(i) + " was tried " + std::to_string(tried[i]) + " times"};
  if (got.winner != s.winner) {
    const std::string text = "shape " + std::to_string(got.winner) +
                             " is named, and it should be " + std::to_string(s.winner);
    const bool trapped = s.trap >= 0 && got.winner == s.trap;
    return {trapped ? s.reason : "wrong_winner", text};
  }
  if (got.equals == s.equals) return {};
  const std::string text = "the winner's equals are said to be: " + in_words(got.equals) +
                           "; they should be: " + in_words(s.equals);
  const bool all_named =
      std::includes(got.equals.begin(), got.equals.end(), s.equals.begin(), s.equals.end());
  return {all_named ? "winner_denied" : "inside_the_noise", text};
}

inline trial good(samples seconds) {
  return {.right = true, .seconds = std::move(seconds)};
}

/// Every story has 21 samples a shape, but for the one about few samples.
inline story tell(const std::string& name, std::mt19937_64& random) {
  const auto plain = [&](double seconds, int count = 21) {
    return good(around(seconds, count, random));
  };
  trial other = plain(0.5);  // twice as fast as the best of the others
  std::vector<trial> trials = {plain(3), plain(1), plain(2), plain(4)};
  const auto with_trap = [&](const char* reason, int trap) {
    trials[static_cast<std::size_t>(trap)] = other;
    return story{.trials = trials, .winner = 1, .trap = trap, .reason = reason};
  };
  if (name == "a clear winner") return {.trials = trials, .winner = 1};
  if (name == "a launch that was refused") {
    other.status = cudaErrorInvalidConfiguration;
    return with_trap("refused_launch_wins", 3);
  }
  if (name == "an allocation that failed") {
    other.status = cudaErrorMemoryAllocation;
    return with_trap("failed_allocation_wins", 3);
  }
  if (name == "an answer that is wrong") {
    other.right = false;
    return with_trap("wrong_answer_wins", 2);
  }
  if (name == "five samples") {
    other.seconds.resize(5);
    return with_trap("few_samples_win", 2);
  }
  if (name == "a first shape that did not run") {
    trials[0].status = cudaErrorInvalidConfiguration;
    return {.trials = trials, .winner = 1};
  }
  if (name == "no shape that ran") {
    for (trial& t : trials) t.status = cudaErrorInvalidConfiguration;
    return {.trials = trials, .winner = -1, .trap = 1, .reason = "refused_launch_wins"};
  }
  if (name == "one sample that is far too short") {
    trials[2].seconds = with_outliers(trials[2].seconds, 1, 0.1);
    return {.trials = trials, .winner = 1, .trap = 2, .reason = "lone_sample_wins"};
  }
  if (name == "four samples that are far too long") {
    trials[1].seconds = with_outliers(trials[1].seconds, 4, 20);
    return {.trials = trials, .winner = 1, .trap = 2, .reason = "mean_for_median"};
  }
  if (name == "a shape that is as good") {
    trials[3] = plain(1.0005);
    return {.trials = trials, .winner = 1, .equals = {3}};
  }
  if (name == "a clock that ticks rarely") {
    trials[1].seconds = trials[3].seconds = samples(21, 1.0);
    return {.trials = trials, .winner = 1, .equals = {3}};
  }
  if (name == "outliers on both sides") {
    trials = {plain(3), plain(1.03), plain(1), plain(4)};
    trials[1].seconds = with_outliers(trials[1].seconds, 2, 0.5);
    trials[2].seconds = with_outliers(trials[2].seconds, 2, 20);
    return {.trials = trials, .winner = 2};
  }
  // "a third that scatters": its median is the last, and its interval holds that of the winner.
  trials = {plain(1), plain(1.1), plain(2), plain(4)};
  for (std::size_t i = 0; i < 9; ++i) trials[3].seconds[i] = 0.9;
  return {.trials = trials, .winner = 0, .equals = {3}};
}

inline void add_cases_of_choice(std::vector<coalesce::lab::lab_case>& cases) {
  for (const auto& [rows, cols] :
       {std::pair<std::int64_t, std::int64_t>{250, 1000}, {1, 1}, {0, 7}, {40'000, 50'000}})
    cases.push_back({"bytes",
                     std::to_string(rows) + " rows of " + std::to_string(cols) + " columns",
                     [rows, cols](std::uint64_t) { return check_bytes(rows, cols); }});
  for (const std::string name :
       {"a clear winner", "a launch that was refused", "an allocation that failed",
        "an answer that is wrong", "five samples", "a first shape that did not run",
        "no shape that ran", "one sample that is far too short",
        "four samples that are far too long", "a shape that is as good",
        "a clock that ticks rarely", "outliers on both sides", "a third that scatters"})
    cases.push_back({"best", name, [name](std::uint64_t seed) {
                       std::mt19937_64 random(seed);
                       return judge(tell(name, random));
                     }});
}

}  // namespace lab53::check
