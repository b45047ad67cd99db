// Checks number_the_elements() on a poisoned output, with a zone behind it that must stay as it was.
#include <numeric>
#include <vector>

#include "chapters/exercise.hpp"
#include "coalesce/error.hpp"
#include "exercise.hpp"

constexpr int zone = 1024, untouched = -7;  // ints behind the output, and what they hold

int main() {
  coalesce::testing::exercise_report report;
  for (const int n : {0, 1, 31, 255, 256, 257, 1000, 5000}) {
    report.expect("n = " + std::to_string(n), [n] {
      auto d_out = coalesce::to_device(std::vector<int>(n + zone, untouched));
      number_the_elements(n, d_out.data(), nullptr);
      COALESCE_CHECK(cudaGetLastError());
      COALESCE_CHECK(cudaDeviceSynchronize());

      std::vector<int> want(n + zone, untouched);
      std::iota(want.begin(), want.begin() + n, 0);
      return coalesce::expect_equal<int>(coalesce::to_host(d_out), want);
    });
  }
  return report.finish();
}
