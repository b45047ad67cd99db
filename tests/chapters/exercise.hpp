#pragma once

#include <cstdint>
#include <cstdio>
#include <exception>
#include <functional>
#include <span>
#include <string>

#include "coalesce/error.hpp"
#include "coalesce/verify.hpp"

/// What the checks of the exercises share: a list of cases, each printed as right or wrong.
namespace coalesce::testing {

/// Looks at the guards: poisoned elements behind an output, which nobody may touch.
/// \param got    output and guards, as they lie in memory
/// \param count  number of elements that are output
/// \return wrong, with the first guard that was written, when there is one
template <class T>
verdict expect_guards(std::span<const T> got, std::int64_t count) {
  for (std::size_t i = count; i < got.size(); ++i)
    if (!is_poison(got[i]))
      return {.message = "element " + std::to_string(i) + " was written past the end: there are " +
                         std::to_string(count)};
  return {.ok = true};
}

/// Compares an integer output that has guards behind it: the guards first, then the output alone.
/// \param got   output and guards, poisoned before the answer ran
/// \param want  the reference, as long as the output
template <std::integral T>
verdict expect_guarded(std::span<const T> got, std::span<const T> want) {
  const verdict guards = expect_guards(got, want.size());
  return guards.ok ? expect_equal(got.first(want.size()), want) : guards;
}

/// Runs cases and prints one line for each; remembers whether one was wrong.
class exercise_report {
 public:
  /// \param name  what is checked, "n = 1025"
  /// \param check says whether the answer is right; an exception is a wrong answer, too. After an
  ///              error that stays with the process, the cases that follow are not tried.
  void expect(const std::string& name, const std::function<verdict()>& check) {
    if (stopped_) {
      ++not_tried_;
      return;
    }
    verdict checked;
    try {
      checked = check();
    } catch (const cuda_error& e) {
      checked.message = e.what();
      stopped_ = e.sticky();
    } catch (const std::exception& e) {
      checked.message = e.what();
    }
    std::printf("%s %s%s%s\n", checked.ok ? "right" : "WRONG", name.c_str(), checked.ok ? "" : ": ",
                checked.ok ? "" : checked.message.c_str());
    all_right_ = all_right_ && checked.ok;
  }

  /// Prints the outcome. \return the exit code: 0 when every case was right, else 1
  int finish() const {
    if (not_tried_ > 0)
      std::printf("%d more %s not tried: this error stays with the process.\n", not_tried_,
                  not_tried_ == 1 ? "case was" : "cases were");
    std::printf("%s\n", all_right_ ? "All cases are right." : "Not yet.");
    return all_right_ ? 0 : 1;
  }

 private:
  bool all_right_ = true;
  bool stopped_ = false;
  int not_tried_ = 0;
};

}  // namespace coalesce::testing
