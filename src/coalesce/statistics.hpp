#pragma once

#include <optional>
#include <span>

/// \defgroup statistics Statistics: medians with honest intervals
/// No assumption about the shape of the distribution of times, which is never normal.
/// @{

namespace coalesce {

/// Two ends, low <= high.
struct interval {
  double low = 0;   ///< lower end
  double high = 0;  ///< upper end

  /// True when `value` lies between the ends or on one.
  bool contains(double value) const noexcept { return low <= value && value <= high; }
};

/// Median: the middle value, or the mean of the two middle ones.
/// \throws std::invalid_argument when there is no value or one is not finite
double median(std::span<const double> values);

/// Interval that holds the true median with a probability of at least 95 %, from the samples
/// themselves.
///
/// Of n samples each lies below the median with probability 1/2, so the number below is binomial.
/// The ends are the k-th smallest and the k-th largest sample, for the largest k with
/// P(Binomial(n, 1/2) < k) <= 2.5 %. Six samples are the fewest for which such a k exists.
/// \return nothing when there are fewer than 6 samples
/// \throws std::invalid_argument when a value is not finite
/// \par Source
/// H. A. David, H. N. Nagaraja, Order Statistics, section 7.1; J.-Y. Le Boudec, Performance
/// Evaluation of Computer and Communication Systems, section 2.2 and table A.1.
std::optional<interval> median_interval_95(std::span<const double> values);

/// A ratio with its interval.
struct ratio {
  double value = 0;               ///< median over the pairs
  std::optional<interval> range;  ///< 95 % interval of that median; nothing below 6 pairs
};

/// Relative difference between two arms that this way of measuring cannot tell from none.
///
/// Two graphs of one and the same kernel were seen to differ by up to 1.6e-4, steadily, since their
/// nodes lie in different places; three times that is allowed. Found by the A/A test
/// (`GpuRivals.AKernelIsItsOwnEqual`).
inline constexpr double pair_resolution = 5e-4;

/// How many times longer `theirs` takes than `ours`, from interleaved pairs.
///
/// Pair i was measured in round i, so a clock that drifts touches both sides of a pair alike. The
/// interval is widened by pair_resolution on each side.
/// \param theirs seconds of the rival, a value a round
/// \param ours   seconds of our kernel in the same rounds
/// \return median and interval of theirs[i] / ours[i]; above 1: ours is faster
/// \throws std::invalid_argument when the lengths differ, are 0, or a time is not positive
ratio median_ratio_by_pairs(std::span<const double> theirs, std::span<const double> ours);

}  // namespace coalesce

/// @}
