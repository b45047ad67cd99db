#pragma once

#include <cstdio>
#include <exception>
#include <functional>
#include <string>

#include "coalesce/verify.hpp"

/// What the checks of the exercises share: a list of cases, each printed as right or wrong.
namespace coalesce::testing {

/// Runs cases and prints one line for each; remembers whether one was wrong.
class exercise_report {
 public:
  /// \param name  what is checked, "n = 1025"
  /// \param check says whether the answer is right; an exception is a wrong answer, too
  void expect(const std::string& name, const std::function<verdict()>& check) {
    verdict checked;
    try {
      checked = check();
    } catch (const std::exception& e) {
      checked.message = e.what();
    }
    std::printf("%s %s%s%s\n", checked.ok ? "right" : "WRONG", name.c_str(), checked.ok ? "" : ": ",
                checked.ok ? "" : checked.message.c_str());
    all_right_ = all_right_ && checked.ok;
  }

  /// Prints the outcome. \return the exit code: 0 when every case was right, else 1
  int finish() const {
    std::printf("%s\n", all_right_ ? "All cases are right." : "Not yet.");
    return all_right_ ? 0 : 1;
  }

 private:
  bool all_right_ = true;
};

}  // namespace coalesce::testing
