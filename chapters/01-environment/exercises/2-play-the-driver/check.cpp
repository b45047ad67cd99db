// Checks choose_image() on a list of programs and GPUs.
#include <string>
#include <vector>

#include "chapters/exercise.hpp"
#include "exercise.hpp"

namespace {

const image sm_75{false, 75}, sm_80{false, 80}, sm_86{false, 86}, sm_89{false, 89},
    sm_90{false, 90};
const image compute_75{true, 75}, compute_80{true, 80}, compute_90{true, 90};

struct question {
  std::string name;
  std::vector<image> images;
  int device;
  int want;
};

const std::vector<question> questions = {
    {"nothing in the program", {}, 90, -1},
    {"sm_90 on 9.0", {sm_90}, 90, 0},
    {"sm_80 on 8.6", {sm_80}, 86, 0},
    {"sm_80 on 9.0", {sm_80}, 90, -1},
    {"sm_89 on 8.6", {sm_89}, 86, -1},
    {"sm_90 on 7.5", {sm_90}, 75, -1},
    {"compute_75 on 9.0", {compute_75}, 90, 0},
    {"compute_75 on 12.0", {compute_75}, 120, 0},
    {"compute_90 on 8.6", {compute_90}, 86, -1},
    {"sm_75, sm_80, compute_80 on 9.0", {sm_75, sm_80, compute_80}, 90, 2},
    {"compute_75, sm_80, sm_86 on 8.9", {compute_75, sm_80, sm_86}, 89, 2},
    {"sm_86, sm_80 on 8.9", {sm_86, sm_80}, 89, 0},
    {"sm_80, compute_80 on 8.6", {compute_80, sm_80}, 86, 1},
    {"sm_80, compute_86 on 8.6", {sm_80, {true, 86}}, 86, 0},
    {"compute_80, compute_90, compute_75 on 12.1", {compute_80, compute_90, compute_75}, 121, 1},
    {"sm_90, compute_90 on 8.9", {sm_90, compute_90}, 89, -1},
    {"sm_75, compute_75 on 8.9", {sm_75, compute_75}, 89, 1},
    {"sm_86, compute_89 on 8.9", {sm_86, {true, 89}}, 89, 0},
    {"sm_90 and sm_100 on 10.3", {sm_90, {false, 100}}, 103, 1},
};

}  // namespace

int main() {
  coalesce::testing::exercise_report report;
  for (const question& one : questions) {
    report.expect(one.name, [&one] {
      const std::vector<int> got = {choose_image(one.images, one.device)};
      return coalesce::expect_equal<int>(got, std::vector{one.want});
    });
  }
  return report.finish();
}
