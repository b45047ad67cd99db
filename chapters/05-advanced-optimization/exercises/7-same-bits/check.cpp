// Checks same_bits_dot() on several grids: right to a few units, and the same bits on all of them.
#include <cmath>
#include <vector>

#include "chapters/exercise.hpp"
#include "coalesce/error.hpp"
#include "exercise.hpp"

namespace {

class vectors {
 public:
  explicit vectors(std::int64_t n)
      : a_(coalesce::random_floats(n, -1, 1, coalesce::fresh_seed())),
        b_(coalesce::random_floats(n, -1, 1, coalesce::fresh_seed())),
        d_a_(coalesce::to_device(a_)),
        d_b_(coalesce::to_device(b_)),
        d_scratch_(dot_scratch),
        d_dot_(1) {}

  float dot(int blocks) {
    coalesce::poison(d_scratch_);
    coalesce::poison(d_dot_);
    same_bits_dot(d_a_.data(), d_b_.data(), d_a_.size(), d_dot_.data(), d_scratch_.data(), blocks,
                  nullptr);
    COALESCE_CHECK(cudaDeviceSynchronize());
    return coalesce::to_host(d_dot_)[0];
  }

  coalesce::verdict is_right(int blocks) {
    const float got = dot(blocks);
    double want = 0, magnitude = 0;
    for (std::size_t i = 0; i < a_.size(); ++i) {
      want += double{a_[i]} * b_[i];
      magnitude += std::fabs(double{a_[i]} * b_[i]);
    }
    return coalesce::compare(std::span<const float>(&got, 1), std::span<const double>(&want, 1),
                             {.factor = 1, .terms = 64}, std::span<const double>(&magnitude, 1));
  }

  coalesce::verdict has_the_same_bits(const std::vector<int>& grids) {
    const float first = dot(grids.front());
    for (const int blocks : grids) {
      const float other = dot(blocks);
      if (other == first) continue;
      char text[120];
      std::snprintf(text, sizeof text, "%a on %d blocks, %a on %d", double{first}, grids.front(),
                    double{other}, blocks);
      return {false, text, 0};
    }
    return {true, {}, 0};
  }

 private:
  std::vector<float> a_, b_;
  coalesce::device_buffer<float> d_a_, d_b_, d_scratch_, d_dot_;
};

}  // namespace

int main() {
  coalesce::testing::exercise_report report;
  for (const std::int64_t n : {0, 1, 511, 513, 20000})
    for (const int blocks : {1, 8, 13})
      report.expect("n = " + std::to_string(n) + " on " + std::to_string(blocks) + " blocks",
                    [=] { return vectors(n).is_right(blocks); });
  for (const std::int64_t n : {513, 20000, 20001})
    report.expect("n = " + std::to_string(n) + ", the same bits on every grid",
                  [=] { return vectors(n).has_the_same_bits({8, 1, 2, 3, 5, 7, 16, 8, 8, 8}); });
  return report.finish();
}
