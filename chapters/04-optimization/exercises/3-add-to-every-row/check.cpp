// Checks add_to_every_row(): the answer must be equal, nothing outside of C may be written.
#include <string>
#include <vector>

#include "chapters/exercise.hpp"
#include "coalesce/error.hpp"
#include "exercise.hpp"

namespace {

coalesce::verdict check(std::int64_t nx, std::int64_t ny) {
  const auto a = coalesce::random_floats(nx * ny, -1, 1, coalesce::fresh_seed());
  const auto v = coalesce::random_floats(nx, -1, 1, coalesce::fresh_seed());
  std::vector<double> want;
  for (std::int64_t i = 0; i < nx * ny; ++i)
    want.push_back(a[static_cast<std::size_t>(i)] + v[static_cast<std::size_t>(i % nx)]);

  const auto d_a = coalesce::to_device(a), d_v = coalesce::to_device(v);
  coalesce::device_buffer<float> d_c(nx * ny + 1);  // the last element is a guard
  coalesce::poison(d_c);
  add_to_every_row(d_a.data(), d_v.data(), nx, ny, d_c.data(), nullptr);
  COALESCE_CHECK(cudaDeviceSynchronize());
  std::vector<float> c = coalesce::to_host(d_c);
  const auto guards = coalesce::testing::expect_guards<float>(c, nx * ny);
  if (!guards.ok) return guards;
  c.pop_back();
  if (coalesce::to_host(d_a) != a || coalesce::to_host(d_v) != v)
    return {.message = "an input was changed"};
  return coalesce::compare<float>(c, want, {.factor = 0});
}

}  // namespace

int main() {
  coalesce::testing::exercise_report report;
  const struct {
    std::int64_t nx, ny;
  } shapes[] = {{1, 1}, {64, 64}, {64, 4}, {100, 7}, {7, 100}, {1, 300}, {300, 1}, {0, 5}, {5, 0}};
  for (const auto [nx, ny] : shapes)
    report.expect(std::to_string(ny) + " rows of " + std::to_string(nx) + " columns",
                  [nx, ny] { return check(nx, ny); });
  return report.finish();
}
