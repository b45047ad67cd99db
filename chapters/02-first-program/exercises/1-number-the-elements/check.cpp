// Checks number_the_elements() on a poisoned output, with guards behind it that nobody may touch.
#include <numeric>
#include <vector>

#include "chapters/exercise.hpp"
#include "coalesce/error.hpp"
#include "exercise.hpp"

constexpr int guards = 1024;  // ints behind the output

int main() {
  coalesce::testing::exercise_report report;
  for (const int n : {0, 1, 31, 255, 256, 257, 1000, 5000}) {
    report.expect("n = " + std::to_string(n), [n] {
      coalesce::device_buffer<int> d_out(n + guards);
      coalesce::poison(d_out);
      number_the_elements(n, d_out.data(), nullptr);
      COALESCE_CHECK(cudaGetLastError());
      COALESCE_CHECK(cudaDeviceSynchronize());

      std::vector<int> want(n);
      std::iota(want.begin(), want.end(), 0);
      return coalesce::testing::expect_guarded<int>(coalesce::to_host(d_out), want);
    });
  }
  return report.finish();
}
