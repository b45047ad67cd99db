// Checks add_its_number() on fresh random input.
#include <string>
#include <vector>

#include "chapters/exercise.hpp"
#include "coalesce/device_buffer.hpp"
#include "coalesce/error.hpp"
#include "exercise.hpp"

int main() {
  coalesce::testing::exercise_report report;
  for (const int n : {0, 1, 31, 256, 257, 1000}) {
    report.expect("n = " + std::to_string(n), [n] {
      std::vector<int> want = coalesce::random_ints(n, -1000, 1000, coalesce::fresh_seed());
      auto d_values = coalesce::to_device(want);
      for (int i = 0; i < n; ++i) want[i] += i;

      add_its_number(d_values.data(), n, nullptr);
      COALESCE_CHECK(cudaDeviceSynchronize());
      return coalesce::expect_equal<int>(coalesce::to_host(d_values), want);
    });
  }
  return report.finish();
}
