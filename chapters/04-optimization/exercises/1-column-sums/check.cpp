// Checks column_sums() on flat, tall and empty matrices, with guards behind the sums.
#include <utility>
#include <vector>

#include "chapters/exercise.hpp"
#include "coalesce/error.hpp"
#include "exercise.hpp"

namespace {

constexpr std::int64_t guards = 512;

coalesce::verdict check(std::int64_t rows, std::int64_t cols, const std::vector<int>& matrix) {
  std::vector<std::int64_t> want(static_cast<std::size_t>(cols), 0);
  for (std::int64_t i = 0; i < rows * cols; ++i)
    want[static_cast<std::size_t>(i % cols)] += matrix[static_cast<std::size_t>(i)];

  const auto d_matrix = coalesce::to_device(matrix);
  coalesce::device_buffer<std::int64_t> d_sums(cols + guards);
  coalesce::poison(d_sums);
  column_sums(d_matrix.data(), rows, cols, d_sums.data(), nullptr);
  COALESCE_CHECK(cudaDeviceSynchronize());
  return coalesce::testing::expect_guarded<std::int64_t>(coalesce::to_host(d_sums), want);
}

}  // namespace

int main() {
  coalesce::testing::exercise_report report;
  for (const auto& [rows, cols] : std::vector<std::pair<std::int64_t, std::int64_t>>{
           {1, 1}, {7, 5}, {5, 7}, {300, 31}, {3, 256}, {3, 257}, {2, 1000}, {0, 9}, {9, 0}})
    report.expect(std::to_string(rows) + " rows, " + std::to_string(cols) + " columns",
                  [rows = rows, cols = cols] {
                    return check(
                        rows, cols,
                        coalesce::random_ints(rows * cols, -1000, 1000, coalesce::fresh_seed()));
                  });
  report.expect("sums of more than 32 bits",
                [] { return check(3, 4, std::vector<int>(12, 2'000'000'000)); });
  return report.finish();
}
