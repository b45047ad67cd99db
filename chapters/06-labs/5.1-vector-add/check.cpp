// Checks vector_add() on sizes at the edges of warps and blocks, with guards behind the answer.
#include <vector>

#include "chapters/exercise.hpp"
#include "grading/cases.hpp"
#include "lab.hpp"

namespace {

using coalesce::lab::lab_case;
using coalesce::lab::outcome;

constexpr std::int64_t guards = 64;

outcome check_sum(std::int64_t n, std::uint64_t seed) {
  const auto a = coalesce::random_floats(n, -1, 1, seed),
             b = coalesce::random_floats(n, -1, 1, seed + 1);
  std::vector<float> c(static_cast<std::size_t>(n + guards));
  coalesce::poison(std::span(c));
  lab51::vector_add(a.data(), b.data(), n, c.data());
  for (std::int64_t i = 0; i < n; ++i)
    if (c[i] != a[i] + b[i])
      return {"wrong_value", "element " + std::to_string(i) + " is " + std::to_string(c[i]) +
                                 ", and a + b is " + std::to_string(a[i] + b[i])};
  return {.counts = {{.count = "store_lanes",
                      .least = static_cast<double>(n),
                      .reason = "no_work_on_gpu",
                      .message = "the kernels stored fewer elements than the sum has"}}};
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<lab_case> cases;
  for (const std::int64_t n : {1, 15, 16, 17, 250, 257, 5000, 0})
    cases.push_back({"sizes", "n = " + std::to_string(n),
                     [n](std::uint64_t seed) { return check_sum(n, seed); }});
  return coalesce::lab::lab_main(argc, argv, cases);
}
