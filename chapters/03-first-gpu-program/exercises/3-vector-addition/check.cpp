// Checks add_vectors(). One addition is rounded once, so the answer must be equal, not nearly equal.
#include <string>
#include <vector>

#include "chapters/exercise.hpp"
#include "coalesce/error.hpp"
#include "exercise.hpp"

namespace {

coalesce::verdict check(std::int64_t n) {
  const auto a = coalesce::random_floats(n, -1, 1, coalesce::fresh_seed());
  const auto b = coalesce::random_floats(n, -1, 1, coalesce::fresh_seed());
  std::vector<double> want;
  for (std::size_t i = 0; i < a.size(); ++i) want.push_back(a[i] + b[i]);

  const auto d_a = coalesce::to_device(a), d_b = coalesce::to_device(b);
  coalesce::device_buffer<float> d_c(n + 1);  // the last element is a guard that nobody may touch
  coalesce::poison(d_c);
  add_vectors(d_a.data(), d_b.data(), n, d_c.data(), nullptr);
  COALESCE_CHECK(cudaDeviceSynchronize());
  std::vector<float> c = coalesce::to_host(d_c);
  const auto guards = coalesce::testing::expect_guards<float>(c, n);
  if (!guards.ok) return guards;
  c.pop_back();
  if (coalesce::to_host(d_a) != a || coalesce::to_host(d_b) != b)
    return {.message = "an input was changed"};
  return coalesce::compare<float>(c, want, {.factor = 0});
}

}  // namespace

int main() {
  coalesce::testing::exercise_report report;
  for (const std::int64_t n : {0, 1, 2, 33, 1000, 1025})
    report.expect("n = " + std::to_string(n), [n] { return check(n); });
  return report.finish();
}
