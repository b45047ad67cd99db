// Checks add_reversed() on fresh random input: adding shows an element that was visited twice.
#include <vector>

#include "chapters/exercise.hpp"
#include "coalesce/error.hpp"
#include "exercise.hpp"

constexpr int guards = 2048;  // ints behind the output, poisoned

int main() {
  coalesce::testing::exercise_report report;
  for (const std::int64_t n : {0, 1, 2, 255, 1024, 1025, 9999}) {
    report.expect("n = " + std::to_string(n), [n] {
      const auto a = coalesce::random_ints(n, 1, 1000, coalesce::fresh_seed());
      auto want = coalesce::random_ints(n, -1000, 1000, coalesce::fresh_seed());
      const auto d_a = coalesce::to_device(a);
      coalesce::device_buffer<int> d_b(n + guards);
      coalesce::poison(d_b);
      COALESCE_CHECK(cudaMemcpy(d_b.data(), want.data(), n * sizeof(int), cudaMemcpyHostToDevice));
      add_reversed(d_a.data(), n, d_b.data(), nullptr);
      COALESCE_CHECK(cudaGetLastError());
      COALESCE_CHECK(cudaDeviceSynchronize());

      for (std::int64_t i = 0; i < n; ++i) want[n - 1 - i] += a[i];
      return coalesce::testing::expect_guarded<int>(coalesce::to_host(d_b), want);
    });
  }
  return report.finish();
}
