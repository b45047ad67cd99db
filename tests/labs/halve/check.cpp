// Checks halve() by the problem of its rows, and counts who stores.
#include <vector>

#include "grading/cases.hpp"
#include "halve_problem.hpp"

namespace {

using coalesce::lab::outcome;

outcome check_values(std::int64_t n, std::uint64_t seed) {
  lab91::halve_problem problem(n);
  problem.prepare(seed);
  problem.poison_output();
  problem.run(nullptr);
  const coalesce::verdict verdict = problem.check();
  return verdict.ok ? outcome{} : outcome{"wrong_value", verdict.message};
}

outcome check_work(std::uint64_t seed) {
  outcome checked = check_values(256, seed);
  if (checked.right())
    checked.counts = {{.count = "store_lanes/store_requests",
                       .least = 31,
                       .reason = "one_thread",
                       .message = "few threads of a warp store"}};
  return checked;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<coalesce::lab::lab_case> cases;
  for (const std::int64_t n : {1, 17, 250})
    cases.push_back({"values", "n = " + std::to_string(n),
                     [n](std::uint64_t seed) { return check_values(n, seed); }});
  cases.push_back({"work", "n = 256", check_work});
  return coalesce::lab::lab_main(argc, argv, cases);
}
