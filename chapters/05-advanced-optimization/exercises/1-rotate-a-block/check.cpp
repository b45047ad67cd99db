// Checks rotate_blocks() on fresh random input, with a poisoned output and guards behind it.
#include <algorithm>
#include <vector>

#include "chapters/exercise.hpp"
#include "coalesce/error.hpp"
#include "exercise.hpp"

namespace {

constexpr std::int64_t block = 256, guards = 8;

coalesce::verdict check(std::int64_t n, int distance) {
  const std::vector<int> values = coalesce::random_ints(n, 0, 999'999, coalesce::fresh_seed());
  std::vector<int> want(values.size());
  for (std::int64_t first = 0; first < n; first += block) {
    const std::int64_t count = std::min(block, n - first);
    for (std::int64_t p = 0; p < count; ++p) {
      const std::int64_t to = ((p + distance) % count + count) % count;
      want[static_cast<std::size_t>(first + to)] = values[static_cast<std::size_t>(first + p)];
    }
  }
  const auto d_in = coalesce::to_device(values);
  coalesce::device_buffer<int> d_out(n + guards);
  coalesce::poison(d_out);
  rotate_blocks(d_in.data(), n, distance, d_out.data(), nullptr);
  COALESCE_CHECK(cudaDeviceSynchronize());
  const auto got = coalesce::to_host(d_out);
  return coalesce::testing::expect_guarded<int>(got, want);
}

}  // namespace

int main() {
  coalesce::testing::exercise_report report;
  for (const std::int64_t n : {0, 1, 2, 31, 255, 256, 257, 1000, 5000})
    for (const int distance : {0, 1, -1, 100, 1000, -1000})
      report.expect("n = " + std::to_string(n) + ", distance " + std::to_string(distance),
                    [=] { return check(n, distance); });
  return report.finish();
}
