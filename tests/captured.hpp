#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <exception>
#include <string>

namespace coalesce::testing {

/// What a step that shows something answered and printed.
struct shown {
  int code;
  std::string text;
};

/// Runs a show step with its standard output captured. One that throws answers -1, and its message
/// stands behind what it had printed.
inline shown output_of(int (*step)(std::int64_t), std::int64_t n = 0) {
  ::testing::internal::CaptureStdout();
  shown seen{-1, {}};
  std::string message;
  try {
    seen.code = step(n);
  } catch (const std::exception& e) {
    message = e.what();
  }
  seen.text = ::testing::internal::GetCapturedStdout() + message;
  return seen;
}

}  // namespace coalesce::testing
