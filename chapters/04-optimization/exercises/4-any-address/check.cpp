// Checks add_anywhere() at every distance from a multiple of 16; nothing around C may be written.
#include <string>
#include <vector>

#include "chapters/exercise.hpp"
#include "coalesce/error.hpp"
#include "exercise.hpp"

namespace {

struct offsets {
  std::int64_t a, b, c;
};

coalesce::verdict check(std::int64_t n, offsets off) {
  const std::int64_t all = n + 8;
  const auto a = coalesce::random_floats(all, -1, 1, coalesce::fresh_seed());
  const auto b = coalesce::random_floats(all, -1, 1, coalesce::fresh_seed());
  const auto d_a = coalesce::to_device(a), d_b = coalesce::to_device(b);
  coalesce::device_buffer<float> d_c(all);
  coalesce::poison(d_c);
  add_anywhere(d_a.data() + off.a, d_b.data() + off.b, n, d_c.data() + off.c, nullptr);
  COALESCE_CHECK(cudaDeviceSynchronize());

  const std::vector<float> c = coalesce::to_host(d_c);
  std::vector<float> got;
  std::vector<double> want;
  for (std::int64_t i = 0; i < all; ++i) {
    const float value = c[static_cast<std::size_t>(i)];
    if (i >= off.c && i < off.c + n) {
      const auto at = static_cast<std::size_t>(i - off.c);
      got.push_back(value);
      want.push_back(a[at + static_cast<std::size_t>(off.a)] +
                     b[at + static_cast<std::size_t>(off.b)]);
    } else if (!coalesce::is_poison(value)) {
      return {.message =
                  "element " + std::to_string(i - off.c) + " lies outside of C and was written"};
    }
  }
  return coalesce::compare<float>(got, want, {.factor = 0});
}

}  // namespace

int main() {
  coalesce::testing::exercise_report report;
  for (const std::int64_t n : {0, 1, 2, 3, 4, 5, 1000, 1025, 1027})
    for (const offsets off :
         {offsets{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {3, 3, 3}, {1, 2, 3}, {0, 0, 1}})
      report.expect("n = " + std::to_string(n) + ", addresses " + std::to_string(off.a) + ", " +
                        std::to_string(off.b) + " and " + std::to_string(off.c) + " floats off",
                    [n, off] { return check(n, off); });
  return report.finish();
}
