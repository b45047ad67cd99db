// Checks careful_sum() where one float stands still, and where a large term comes late.
#include <cmath>
#include <vector>

#include "chapters/exercise.hpp"
#include "coalesce/error.hpp"
#include "exercise.hpp"

namespace {

coalesce::verdict check(const std::vector<float>& values) {
  const auto d_values = coalesce::to_device(values);
  coalesce::device_buffer<float> d_sum(1);
  coalesce::poison(d_sum);
  careful_sum(d_values.data(), d_values.size(), d_sum.data(), nullptr);
  COALESCE_CHECK(cudaDeviceSynchronize());
  std::vector<double> want(1);
  for (const float value : values) want[0] += value;
  const auto got = coalesce::to_host(d_sum);
  return coalesce::compare(std::span<const float>(got), std::span<const double>(want),
                           {.factor = 1, .terms = 1});
}

}  // namespace

int main() {
  coalesce::testing::exercise_report report;
  for (const std::int64_t n : {0, 1, 2, 1000, 20000})
    report.expect("n = " + std::to_string(n) + ", from 0 to 1",
                  [=] { return check(coalesce::random_floats(n, 0, 1, coalesce::fresh_seed())); });
  report.expect("2^24, then ones", [] {
    std::vector<float> values(1001, 1.0f);
    values.front() = 0x1p24f;
    return check(values);
  });
  report.expect("1, 2^30, 1, -2^30", [] { return check({1, 0x1p30f, 1, -0x1p30f}); });
  report.expect("-1, -2^30, -1, 2^30", [] { return check({-1, -0x1p30f, -1, 0x1p30f}); });
  return report.finish();
}
