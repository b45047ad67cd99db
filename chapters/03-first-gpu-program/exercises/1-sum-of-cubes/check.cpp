// Checks sum_of_cubes() on fresh random input, with a poisoned output.
#include <vector>

#include "chapters/exercise.hpp"
#include "coalesce/error.hpp"
#include "exercise.hpp"

int main() {
  coalesce::testing::exercise_report report;
  for (const std::int64_t n : {0, 1, 2, 31, 1000, 1025}) {
    report.expect("n = " + std::to_string(n), [n] {
      const auto values = coalesce::random_ints(n, -1000, 1000, coalesce::fresh_seed());
      std::int64_t want = 0;
      for (const std::int64_t value : values) want += value * value * value;

      const auto d_values = coalesce::to_device(values);
      coalesce::device_buffer<std::int64_t> d_sum(1);
      coalesce::poison(d_sum);
      sum_of_cubes(d_values.data(), n, d_sum.data(), nullptr);
      COALESCE_CHECK(cudaDeviceSynchronize());
      const auto got = coalesce::to_host(d_sum);
      return coalesce::expect_equal<std::int64_t>(got, std::vector{want});
    });
  }
  report.expect("1000 times 1000: the sum needs 64 bits", [] {
    const auto d_values = coalesce::to_device(std::vector<int>(1000, 1000));
    coalesce::device_buffer<std::int64_t> d_sum(1);
    coalesce::poison(d_sum);
    sum_of_cubes(d_values.data(), 1000, d_sum.data(), nullptr);
    COALESCE_CHECK(cudaDeviceSynchronize());
    const auto got = coalesce::to_host(d_sum);
    return coalesce::expect_equal<std::int64_t>(
        got, std::vector<std::int64_t>{1000LL * 1000 * 1000 * 1000});
  });
  return report.finish();
}
