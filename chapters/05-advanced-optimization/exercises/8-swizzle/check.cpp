// Checks transpose() on fresh random matrices, with a poisoned output and guards behind it.
#include <vector>

#include "chapters/exercise.hpp"
#include "coalesce/error.hpp"
#include "exercise.hpp"

namespace {

constexpr std::int64_t guards = 64;

coalesce::verdict check(std::int64_t rows, std::int64_t cols) {
  const std::vector<int> in =
      coalesce::random_ints(rows * cols, 0, 999'999, coalesce::fresh_seed());
  std::vector<int> want(in.size());
  for (std::int64_t row = 0; row < rows; ++row)
    for (std::int64_t col = 0; col < cols; ++col)
      want[static_cast<std::size_t>(col * rows + row)] =
          in[static_cast<std::size_t>(row * cols + col)];
  const auto d_in = coalesce::to_device(in);
  coalesce::device_buffer<int> d_out(rows * cols + guards);
  coalesce::poison(d_out);
  transpose(d_in.data(), rows, cols, d_out.data(), nullptr);
  COALESCE_CHECK(cudaDeviceSynchronize());
  const auto got = coalesce::to_host(d_out);
  return coalesce::testing::expect_guarded<int>(got, want);
}

}  // namespace

int main() {
  coalesce::testing::exercise_report report;
  const std::pair<std::int64_t, std::int64_t> sizes[] = {{32, 32}, {1, 1},   {0, 5},   {1, 100},
                                                         {100, 1}, {64, 96}, {33, 31}, {127, 65}};
  for (const auto& [rows, cols] : sizes)
    report.expect(std::to_string(rows) + " rows, " + std::to_string(cols) + " columns",
                  [rows = rows, cols = cols] { return check(rows, cols); });
  return report.finish();
}
