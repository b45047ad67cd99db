// Checks units_in_last_place() on powers of two, on random floats, on 0 and on the smallest numbers.
#include <cmath>
#include <vector>

#include "chapters/exercise.hpp"
#include "coalesce/error.hpp"
#include "exercise.hpp"

namespace {

coalesce::verdict check(const std::vector<float>& values) {
  const auto d_values = coalesce::to_device(values);
  coalesce::device_buffer<float> d_ulps(d_values.size());
  coalesce::poison(d_ulps);
  units_in_last_place(d_values.data(), d_values.size(), d_ulps.data(), nullptr);
  COALESCE_CHECK(cudaDeviceSynchronize());
  const auto got = coalesce::to_host(d_ulps);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const float want = std::nextafter(values[i], INFINITY) - values[i];
    if (got[i] != want) {
      char text[120];
      std::snprintf(text, sizeof text, "of %a: got %a, expected %a", double{values[i]},
                    double{got[i]}, double{want});
      return {false, text, 0};
    }
  }
  return {true, {}, 0};
}

}  // namespace

int main() {
  coalesce::testing::exercise_report report;
  report.expect("1, 2, 4, 1/2 and 2^24", [] { return check({1, 2, 4, 0.5f, 0x1p24f}); });
  for (const std::int64_t n : {0, 1, 257, 1000})
    report.expect("n = " + std::to_string(n) + ", from 0 to 1000", [=] {
      return check(coalesce::random_floats(n, 0, 1000, coalesce::fresh_seed()));
    });
  report.expect("0 and the smallest numbers", [] { return check({0, 0x1p-149f, 0x1p-126f}); });
  return report.finish();
}
