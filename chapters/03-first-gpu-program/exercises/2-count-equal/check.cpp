// Checks count_equal() on fresh random input, with a poisoned output.
#include <algorithm>
#include <vector>

#include "chapters/exercise.hpp"
#include "coalesce/error.hpp"
#include "exercise.hpp"

namespace {

coalesce::verdict check(const std::vector<int>& values, int wanted) {
  const std::int64_t want = std::count(values.begin(), values.end(), wanted);
  const auto d_values = coalesce::to_device(values);
  coalesce::device_buffer<std::int64_t> d_count(1);
  coalesce::poison(d_count);
  count_equal(d_values.data(), d_values.size(), wanted, d_count.data(), nullptr);
  COALESCE_CHECK(cudaDeviceSynchronize());
  const auto got = coalesce::to_host(d_count);
  return coalesce::expect_equal<std::int64_t>(got, std::vector{want});
}

}  // namespace

int main() {
  coalesce::testing::exercise_report report;
  for (const std::int64_t n : {0, 1, 2, 33, 1000, 1025})
    for (const int wanted : {0, 7})
      report.expect("n = " + std::to_string(n) + ", counting " + std::to_string(wanted), [=] {
        return check(coalesce::random_ints(n, 0, 9, coalesce::fresh_seed()), wanted);
      });
  report.expect("every element is equal", [] { return check(std::vector<int>(100, -3), -3); });
  report.expect("no element is equal", [] { return check(std::vector<int>(100, -3), 3); });
  return report.finish();
}
