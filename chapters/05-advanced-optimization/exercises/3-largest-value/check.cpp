// Checks largest_value() on fresh random input, with a poisoned output.
#include <algorithm>
#include <vector>

#include "chapters/exercise.hpp"
#include "coalesce/error.hpp"
#include "exercise.hpp"

namespace {

coalesce::verdict check(const std::vector<int>& values) {
  const int want = values.empty() ? INT32_MIN : *std::max_element(values.begin(), values.end());
  const auto d_values = coalesce::to_device(values);
  coalesce::device_buffer<int> d_largest(1);
  coalesce::poison(d_largest);
  largest_value(d_values.data(), d_values.size(), d_largest.data(), nullptr);
  COALESCE_CHECK(cudaDeviceSynchronize());
  const auto got = coalesce::to_host(d_largest);
  return coalesce::expect_equal<int>(got, std::vector{want});
}

/// All values alike but one, which is larger.
std::vector<int> one_peak(std::int64_t n, std::int64_t place) {
  std::vector<int> values(static_cast<std::size_t>(n), -7);
  values[static_cast<std::size_t>(place)] = 5;
  return values;
}

}  // namespace

int main() {
  coalesce::testing::exercise_report report;
  for (const std::int64_t n : {0, 1, 31, 33, 257, 1000, 40'000})
    report.expect("n = " + std::to_string(n), [=] {
      return check(coalesce::random_ints(n, -1'000'000, 1'000'000, coalesce::fresh_seed()));
    });
  report.expect("only negative values", [] {
    return check(coalesce::random_ints(1000, -900, -1, coalesce::fresh_seed()));
  });
  report.expect("only the least value", [] { return check(std::vector<int>(100, INT32_MIN)); });
  for (const std::int64_t place : {0, 1, 3, 31, 32, 100, 255, 256, 511})
    report.expect("the largest is element " + std::to_string(place),
                  [=] { return check(one_peak(512, place)); });
  return report.finish();
}
