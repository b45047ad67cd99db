#include "coalesce/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

namespace coalesce {
namespace {

std::vector<double> sorted(std::span<const double> values) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i]))
      throw std::invalid_argument("sample " + std::to_string(i) + " is " +
                                  std::to_string(values[i]) + ": statistics need finite samples");
  std::vector<double> ordered(values.begin(), values.end());
  std::sort(ordered.begin(), ordered.end());
  return ordered;
}

/// Largest k with P(Binomial(n, 1/2) < k) <= 0.025; 0 when there is none.
std::size_t rank_of_low_end(std::size_t n) {
  // log of C(n, i) / 2^n, so that large n neither overflow nor vanish
  const double count = static_cast<double>(n);
  double below = 0;
  for (std::size_t k = 0; k < n; ++k) {
    const double i = static_cast<double>(k);
    below += std::exp(std::lgamma(count + 1) - std::lgamma(i + 1) - std::lgamma(count - i + 1) -
                      count * std::log(2.0));
    if (below > 0.025) return k;
  }
  return 0;
}

}  // namespace

double median(std::span<const double> values) {
  if (values.empty()) throw std::invalid_argument("the median of no samples");
  const std::vector<double> v = sorted(values);
  const std::size_t half = v.size() / 2;
  return v.size() % 2 != 0 ? v[half] : 0.5 * v[half - 1] + 0.5 * v[half];
}

std::optional<interval> median_interval_95(std::span<const double> values) {
  const std::vector<double> v = sorted(values);
  const std::size_t k = rank_of_low_end(v.size());
  if (k == 0) return std::nullopt;
  return interval{v[k - 1], v[v.size() - k]};
}

ratio median_ratio_by_pairs(std::span<const double> theirs, std::span<const double> ours) {
  if (theirs.size() != ours.size() || theirs.empty())
    throw std::invalid_argument(std::to_string(theirs.size()) + " and " +
                                std::to_string(ours.size()) + " times do not make pairs");
  std::vector<double> ratios(ours.size());
  for (std::size_t i = 0; i < ours.size(); ++i) {
    if (!(theirs[i] > 0) || !(ours[i] > 0))
      throw std::invalid_argument("a time of pair " + std::to_string(i) + " is not positive");
    ratios[i] = theirs[i] / ours[i];
  }
  auto range = median_interval_95(ratios);
  if (range) range = {range->low * (1 - pair_resolution), range->high * (1 + pair_resolution)};
  return {median(ratios), range};
}

}  // namespace coalesce
