// Checks twice(): two calls with different inputs in one process, and the work of each warp.
#include <vector>

#include "coalesce/verify.hpp"
#include "grading/cases.hpp"
#include "lab.hpp"

namespace {

using coalesce::lab::outcome;

outcome check_call(std::int64_t n, std::uint64_t seed, const char* reason) {
  const auto in = coalesce::random_floats(n, -1, 1, seed);
  std::vector<float> out(n);
  coalesce::poison(std::span(out));
  labtests::twice(in.data(), n, out.data());
  for (std::int64_t i = 0; i < n; ++i)
    if (!(out[i] == 2 * in[i]))
      return {reason, "element " + std::to_string(i) + " is " + std::to_string(out[i]) +
                          ", and not " + std::to_string(2 * in[i])};
  return {};
}

outcome check_values(std::int64_t n, std::uint64_t seed) {
  const outcome first = check_call(n, seed, "wrong_value");
  return first.right() ? check_call(n, seed + 1, "cached_answer") : first;
}

outcome check_work(std::uint64_t seed) {
  const outcome values = check_call(256, seed, "wrong_value");
  if (!values.right()) return values;
  return {.counts = {{.count = "store_lanes/store_requests",
                      .least = 31,
                      .reason = "one_thread",
                      .message = "few threads of a warp store"}}};
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<coalesce::lab::lab_case> cases;
  for (const std::int64_t n : {1, 17, 250, 0})
    cases.push_back({"values", "n = " + std::to_string(n),
                     [n](std::uint64_t seed) { return check_values(n, seed); }});
  cases.push_back({"work", "n = 256", check_work});
  return coalesce::lab::lab_main(argc, argv, cases);
}
