// Checks fill_matrix() on wide, tall and empty matrices, with guards behind that nobody may touch.
#include <utility>
#include <vector>

#include "chapters/exercise.hpp"
#include "coalesce/error.hpp"
#include "exercise.hpp"

constexpr int guards = 4096;  // ints behind the output

int main() {
  coalesce::testing::exercise_report report;
  for (const auto& [rows, cols] : std::vector<std::pair<int, int>>{
           {1, 1}, {3, 5}, {16, 16}, {7, 200}, {200, 7}, {33, 65}, {0, 9}, {9, 0}}) {
    report.expect(std::to_string(rows) + " rows, " + std::to_string(cols) + " columns",
                  [rows, cols] {
                    coalesce::device_buffer<int> d_out(rows * cols + guards);
                    coalesce::poison(d_out);
                    fill_matrix(rows, cols, d_out.data(), nullptr);
                    COALESCE_CHECK(cudaGetLastError());
                    COALESCE_CHECK(cudaDeviceSynchronize());

                    std::vector<int> want(rows * cols);
                    for (int row = 0; row < rows; ++row)
                      for (int col = 0; col < cols; ++col)
                        want[row * cols + col] = 1000 * row + col;
                    return coalesce::testing::expect_guarded<int>(coalesce::to_host(d_out), want);
                  });
  }
  return report.finish();
}
