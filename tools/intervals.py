"""Statistics of timing samples that assume no distribution.

Timings have a hard floor and a long upper tail, so means and standard deviations describe them
badly. Everything here rests on order statistics: the median, and the interval between two ordered
samples that holds the true median with at least 95 % probability whatever the distribution is.
No sample is ever discarded. Standard library only.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median

CONFIDENCE = 0.95

# Relative difference between two arms that interleaved pairs cannot tell from none: two graphs of
# one kernel differ steadily by up to 1.6e-4 (the A/A test of the library); three times that is
# allowed. The same figure as coalesce::pair_resolution.
PAIR_RESOLUTION = 5e-4


def median_ranks(count: int, confidence: float = CONFIDENCE) -> tuple[int, int] | None:
    """Ranks (from 1) of the ordered samples that bound the median, or None if `count` is too small.

    The number of samples below the true median is binomial(count, 1/2), so the interval from rank
    l to rank count + 1 - l misses the median with probability 2 P(binomial < l). The largest l
    that keeps this under 1 - confidence gives the shortest symmetric interval. For 95 % the least
    count is 6: between the extremes of five samples lies only 93.75 %.
    """
    if count < 1:
        return None
    allowed = (1 - confidence) / 2
    tail = 0.0
    lower = 0
    while lower < (count + 1) // 2:
        tail += math.comb(count, lower) / 2**count
        if tail > allowed:
            break
        lower += 1
    return (lower, count + 1 - lower) if lower else None


def least_samples(confidence: float = CONFIDENCE) -> int:
    """Fewest samples that allow an interval at this confidence."""
    count = 1
    while median_ranks(count, confidence) is None:
        count += 1
    return count


@dataclass(frozen=True)
class Estimate:
    """A median with its interval. Without one, low and high are None and `reason` says why."""

    median: float
    low: float | None
    high: float | None
    count: int
    reason: str | None = None

    @property
    def width(self) -> float | None:
        """Width of the interval as a share of the median, None without an interval."""
        if self.low is None or self.high is None or self.median == 0:
            return None
        return (self.high - self.low) / self.median

    def contains(self, value: float) -> bool:
        """True when the interval exists and holds `value`."""
        return self.low is not None and self.high is not None and self.low <= value <= self.high

    def excludes(self, value: float) -> bool:
        """True when the interval exists and does not hold `value`; the licence to claim a win."""
        return self.low is not None and self.high is not None and not self.contains(value)


def estimate(samples: Sequence[float], confidence: float = CONFIDENCE) -> Estimate:
    """Median and its distribution-free interval. Refuses an empty or non-finite sample."""
    if not samples:
        raise ValueError("no samples")
    if not all(math.isfinite(sample) for sample in samples):
        raise ValueError("a sample is not a finite number")
    ordered = sorted(samples)
    count = len(ordered)
    ranks = median_ranks(count, confidence)
    if ranks is None:
        reason = (
            f"{count} sample{'s' * (count != 1)}: a {confidence:.0%} interval of the median "
            f"needs at least {least_samples(confidence)}"
        )
        return Estimate(median(ordered), None, None, count, reason)
    lower, upper = ranks
    return Estimate(median(ordered), ordered[lower - 1], ordered[upper - 1], count)


def ratio_of_pairs(
    numerator: Mapping[int, float],
    denominator: Mapping[int, float],
    confidence: float = CONFIDENCE,
) -> Estimate | None:
    """Median of the per-round ratios and its interval; rounds that only one arm has are left out.

    Both arguments map a round to the time in that round. Pairing within a round removes what drifts
    between rounds (heat, clock), which is why this interval is narrower and more honest than one
    made of two separate medians. The interval is widened by PAIR_RESOLUTION on each side. None when
    no round is shared.
    """
    shared = sorted(numerator.keys() & denominator.keys())
    if not shared:
        return None
    found = estimate([numerator[r] / denominator[r] for r in shared], confidence)
    if found.low is None or found.high is None:
        return found
    low, high = found.low * (1 - PAIR_RESOLUTION), found.high * (1 + PAIR_RESOLUTION)
    return replace(found, low=low, high=high)
