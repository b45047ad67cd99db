// Checks dot_product() on fresh random input, with a poisoned output and scratch memory used again.
#include <cstddef>
#include <vector>

#include "chapters/exercise.hpp"
#include "coalesce/error.hpp"
#include "exercise.hpp"

namespace {

/// Scratch memory for all checks of the program: zeroed once.
dot_workspace* workspace() {
  static coalesce::device_buffer<std::byte> d_work(sizeof(dot_workspace));
  static const bool zeroed = (d_work.fill_bytes(0), true);
  (void)zeroed;
  return reinterpret_cast<dot_workspace*>(d_work.data());
}

/// \param skip_a, skip_b elements left out in front, so that the arrays begin anywhere
coalesce::verdict check(const std::vector<int>& a, const std::vector<int>& b, std::int64_t n,
                        std::int64_t skip_a = 0, std::int64_t skip_b = 0) {
  std::int64_t want = 0;
  for (std::int64_t i = 0; i < n; ++i)
    want += std::int64_t{a[static_cast<std::size_t>(skip_a + i)]} *
            b[static_cast<std::size_t>(skip_b + i)];
  const auto d_a = coalesce::to_device(a), d_b = coalesce::to_device(b);
  coalesce::device_buffer<std::int64_t> d_dot(1);
  coalesce::poison(d_dot);
  dot_product(d_a.data() + skip_a, d_b.data() + skip_b, n, d_dot.data(), workspace(), nullptr);
  COALESCE_CHECK(cudaDeviceSynchronize());
  return coalesce::expect_equal<std::int64_t>(coalesce::to_host(d_dot), std::vector{want});
}

coalesce::verdict check_random(std::int64_t n, int largest, std::int64_t skip_a = 0,
                               std::int64_t skip_b = 0) {
  return check(coalesce::random_ints(n + skip_a, -largest, largest, coalesce::fresh_seed()),
               coalesce::random_ints(n + skip_b, -largest, largest, coalesce::fresh_seed()), n,
               skip_a, skip_b);
}

}  // namespace

int main() {
  coalesce::testing::exercise_report report;
  for (const std::int64_t n : {0, 1, 33, 256, 257, 1000, 90'001})
    report.expect("n = " + std::to_string(n), [=] { return check_random(n, 100); });
  report.expect("a second launch", [] { return check_random(1000, 100); });
  report.expect("a after one element, b after two", [] { return check_random(1000, 9, 1, 2); });
  report.expect("products of more than 32 bits", [] {
    return check(std::vector<int>(10, 70'000), std::vector<int>(10, 70'000), 10);
  });
  report.expect("sums of more than 32 bits", [] { return check_random(5000, 40'000); });
  return report.finish();
}
