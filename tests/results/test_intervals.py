"""The statistics on samples whose truth is known."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import pytest

from tools.intervals import estimate, least_samples, median_ranks, ratio_of_pairs


def coverage(count: int, lower: int) -> Fraction:
    """Exact probability that the median lies between ranks lower and count + 1 - lower."""
    missed = sum(Fraction(math.comb(count, k), 2**count) for k in range(lower))
    return 1 - 2 * missed


@pytest.mark.parametrize("count", range(6, 102))
def test_ranks_are_the_tightest_with_95_percent(count):
    lower, upper = median_ranks(count)
    assert upper == count + 1 - lower
    assert coverage(count, lower) >= Fraction(95, 100)
    assert coverage(count, lower + 1) < Fraction(95, 100)


# From printed tables of the sign test (two-sided, 5 %).
@pytest.mark.parametrize(
    ("count", "lower"),
    [(6, 1), (8, 1), (9, 2), (10, 2), (12, 3), (15, 4), (20, 6), (25, 8), (30, 10), (50, 18),
     (100, 40)],
)  # fmt: skip
def test_ranks_agree_with_printed_tables(count, lower):
    assert median_ranks(count) == (lower, count + 1 - lower)


@pytest.mark.parametrize("count", range(1, 6))
def test_too_few_samples_give_no_interval_but_a_reason(count):
    found = estimate([1.0] * count)
    assert (found.low, found.high, found.median) == (None, None, 1.0)
    assert "at least 6" in found.reason
    assert not found.contains(1.0)
    assert not found.excludes(2.0)


def test_least_samples():
    assert least_samples() == 6
    assert least_samples(0.5) == 2


def test_samples_must_be_numbers():
    for bad in ([], [1.0, math.nan], [math.inf]):
        with pytest.raises(ValueError):
            estimate(bad)


def test_order_does_not_matter_and_nothing_is_discarded():
    samples = [5.0, 1.0, 4.0, 2.0, 3.0, 100.0]
    found = estimate(samples)
    assert (found.low, found.median, found.high, found.count) == (1.0, 3.5, 100.0, 6)


@pytest.mark.parametrize("count", [6, 7, 11, 31])
def test_the_interval_covers_the_true_median_as_often_as_promised(count):
    draw = random.Random(count)
    trials = 4000
    hits = sum(
        estimate([draw.lognormvariate(0, 0.5) for _ in range(count)]).contains(1.0)
        for _ in range(trials)
    )
    promised = float(coverage(count, median_ranks(count)[0]))
    slack = 4 * math.sqrt(promised * (1 - promised) / trials)
    assert promised >= 0.95
    assert abs(hits / trials - promised) < slack


def timed_rounds(draw: random.Random, rounds: int, slower: float = 1.0):
    """Two arms whose times share each round's drift of up to 10 %; the second is `slower`."""
    first, second = {}, {}
    for number in range(rounds):
        drift = 1 + 0.1 * draw.random()
        first[number] = drift * (1 + abs(draw.gauss(0, 0.004)))
        second[number] = slower * drift * (1 + abs(draw.gauss(0, 0.004)))
    return first, second


def test_a_kernel_as_its_own_rival_gives_1():
    draw = random.Random(7)
    found = [ratio_of_pairs(*timed_rounds(draw, 31)) for _ in range(400)]
    assert sum(ratio.contains(1.0) for ratio in found) >= 0.93 * len(found)
    assert max(ratio.width for ratio in found) < 0.01


def test_a_planted_slowdown_of_3_percent_is_found():
    draw = random.Random(8)
    for _ in range(200):
        first, second = timed_rounds(draw, 31, slower=1.03)
        ratio = ratio_of_pairs(second, first)
        assert ratio.excludes(1.0)
        assert ratio.low > 1.02
        assert ratio.high < 1.04


def test_pairs_find_what_separate_medians_hide():
    first, second = timed_rounds(random.Random(9), 31, slower=1.01)
    apart = estimate(list(first.values())), estimate(list(second.values()))
    assert apart[0].high > apart[1].low  # the intervals overlap: the drift hides the slowdown
    assert ratio_of_pairs(second, first).excludes(1.0)


def test_only_rounds_of_both_arms_are_paired():
    assert ratio_of_pairs({1: 2.0, 2: 9.0}, {1: 1.0, 3: 1.0}).median == 2.0
    assert ratio_of_pairs({1: 2.0}, {2: 1.0}) is None
