// Checks first_position() on fresh random input, with a poisoned output.
#include <algorithm>
#include <vector>

#include "chapters/exercise.hpp"
#include "coalesce/error.hpp"
#include "exercise.hpp"

namespace {

coalesce::verdict check(const std::vector<int>& values, int wanted) {
  const auto found = std::find(values.begin(), values.end(), wanted);
  const auto want = static_cast<unsigned long long>(found - values.begin());
  const auto d_values = coalesce::to_device(values);
  coalesce::device_buffer<unsigned long long> d_position(1);
  coalesce::poison(d_position);
  first_position(d_values.data(), d_values.size(), wanted, d_position.data(), nullptr);
  COALESCE_CHECK(cudaDeviceSynchronize());
  const auto got = coalesce::to_host(d_position);
  return coalesce::expect_equal<unsigned long long>(got, std::vector{want});
}

/// n values that are not `wanted`, but for the given places.
std::vector<int> with(std::int64_t n, int wanted, const std::vector<std::size_t>& places) {
  std::vector<int> values = coalesce::random_ints(n, 10, 99, coalesce::fresh_seed());
  for (const std::size_t place : places) values[place] = wanted;
  return values;
}

}  // namespace

int main() {
  coalesce::testing::exercise_report report;
  for (const std::int64_t n : {0, 1, 255, 1000, 100'000})
    report.expect("n = " + std::to_string(n) + ", the value is nowhere",
                  [=] { return check(with(n, 7, {}), 7); });
  report.expect("the first of many in one block",
                [] { return check(with(256, 7, {200, 40, 41, 250}), 7); });
  report.expect("in the last warp of a block", [] { return check(with(1000, 7, {511}), 7); });
  report.expect("in several blocks", [] { return check(with(5000, 7, {1300, 1299, 4000}), 7); });
  report.expect("the very last element", [] { return check(with(1001, 7, {1000}), 7); });
  report.expect("everywhere", [] { return check(std::vector<int>(3000, -5), -5); });
  report.expect("digits", [] {
    return check(coalesce::random_ints(50'000, 0, 9, coalesce::fresh_seed()), 3);
  });
  return report.finish();
}
