// Shows one set of numbers added in seven orders, on the host: every order gives another float.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <vector>

#include "coalesce/verify.hpp"
#include "float_reference.hpp"
#include "steps.hpp"

namespace chapter05 {
namespace {

// [orders]
float one_chain(const std::vector<float>& values) {
  float sum = 0;
  for (const float value : values) sum = std::fma(value, value, sum);
  return sum;
}

float many_chains(const std::vector<float>& values, std::size_t chains) {
  std::vector<float> sums(chains, 0.0f);
  for (std::size_t i = 0; i < values.size(); ++i)
    sums[i % chains] = std::fma(values[i], values[i], sums[i % chains]);
  float sum = 0;
  for (const float part : sums) sum += part;
  return sum;
}

float tree(const float* values, std::size_t n) {
  if (n == 1) return values[0] * values[0];
  return tree(values, n / 2) + tree(values + n / 2, n - n / 2);
}
// [/orders]

}  // namespace

int orders(std::int64_t wanted) {
  const std::int64_t n = wanted > 0 ? wanted : 1 << 20;
  std::vector<float> values = coalesce::random_floats(n, -1, 1, 5);
  const double want = sum_of_squares_in_double(values);
  bool right = true;
  const auto show = [&](const char* order, float sum) {
    const double error = std::fabs(double{sum} - want) / want;
    right = right && error < 1e-3;
    std::printf("%-26s %.9g   relative error %.1e\n", order, double{sum}, error);
  };
  std::printf("%-26s %.9g\n", "in double", want);
  show("forwards", one_chain(values));
  show("256 chains", many_chains(values, 256));
  show("65536 chains", many_chains(values, 65536));
  show("a binary tree", tree(values.data(), values.size()));
  std::reverse(values.begin(), values.end());
  show("backwards", one_chain(values));
  std::sort(values.begin(), values.end(),
            [](float a, float b) { return std::fabs(a) < std::fabs(b); });
  show("the smallest first", one_chain(values));
  std::reverse(values.begin(), values.end());
  show("the largest first", one_chain(values));
  return right ? 0 : 1;
}

}  // namespace chapter05
