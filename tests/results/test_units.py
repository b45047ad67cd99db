"""Numbers as printed, above all at the edges."""

from __future__ import annotations

import math
import random
import re

import pytest

from tools import units
from tools.units import NARROW_SPACE


def spaced(text: str) -> str:
    """The printed text with plain spaces."""
    return text.replace(NARROW_SPACE, " ")


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0 s"), (1, "1.00 s"), (1.41, "1.41 s"), (0.0116, "11.6 ms"), (533e-6, "533 µs"),
        (1.34e-6, "1.34 µs"), (7.7e-9, "7.70 ns"), (1e-12, "1.00 ps"), (3.4e-15, "0.00340 ps"),
        (999.4e-6, "999 µs"), (999.6e-6, "1.00 ms"), (0.9994, "999 ms"), (0.99951, "1.00 s"),
        (1e-3, "1.00 ms"), (9.996e-3, "10.0 ms"), (999.5e-6, "1.00 ms"),
        (999.499e-6, "999 µs"), (12345, "12 300 s"), (-0.0116, "−11.6 ms"),
    ],
)  # fmt: skip
def test_times(seconds, text):
    assert spaced(units.format_time(seconds)) == text


@pytest.mark.parametrize(
    ("rate", "text"),
    [(4.603e12, "4.60 TB/s"), (164e9, "164 GB/s"), (0.33e9, "330 MB/s"), (999.9e9, "1.00 TB/s"),
     (0, "0 B/s"), (0.5, "0.500 B/s"), (2e16, "20.0 PB/s")],
)  # fmt: skip
def test_bandwidths(rate, text):
    assert spaced(units.format_bandwidth(rate)) == text


@pytest.mark.parametrize(
    ("ratio", "text"),
    [(24.1, "24.1×"), (1, "1.00×"), (0.9996, "1.00×"), (0.5, "0.500×"), (326.4, "326×"),
     (1234.5, "1230×"), (99.96, "100×"), (0.00123, "0.00123×"), (65432, "65 400×")],
)  # fmt: skip
def test_ratios(ratio, text):
    assert spaced(units.format_ratio(ratio)) == text


@pytest.mark.parametrize(
    ("count", "text"),
    [(0, "0"), (999, "999"), (1024, "1024"), (65536, "65 536"), (1048576, "1 048 576"),
     (2**31, "2 147 483 648"), (-65536, "−65 536"), (2.5, "2.50"), (1e6, "1 000 000")],
)  # fmt: skip
def test_counts(count, text):
    assert spaced(units.format_count(count)) == text


@pytest.mark.parametrize(
    ("size", "text"),
    [(0, "0 B"), (1023, "1023 B"), (1024, "1 KiB"), (49152, "48 KiB"), (60 << 20, "60 MiB"),
     (150e9, "140 GiB"), (2**40 - 1, "1.00 TiB"), (1023.2 * 2**20, "1023 MiB"), (1536, "1.50 KiB")],
)  # fmt: skip
def test_sizes(size, text):
    assert spaced(units.format_bytes(size)) == text


def test_other_units():
    assert spaced(units.format_flops(51.1e12)) == "51.1 TFLOP/s"
    assert spaced(units.format_frequency(1.98e9)) == "1.98 GHz"
    assert spaced(units.format_power(674)) == "674 W"
    assert spaced(units.format_percent(0.956)) == "95.6 %"
    assert spaced(units.format_error(3.14e-7)) == "3.1 × 10⁻⁷"
    assert spaced(units.format_error(0)) == "0"


def test_intervals_show_their_width():
    assert spaced(units.format_interval(0.01151, 0.01164)) == "11.5 ms to 11.6 ms"
    assert spaced(units.format_interval(0.011512, 0.011534)) == "11.51 ms to 11.53 ms"
    assert spaced(units.format_interval(1e-3, 1e-3)) == "1.0000 ms to 1.0000 ms"


def test_no_number_breaks_over_lines():
    for text in (units.format_time(0.0116), units.format_bandwidth(4.6e12),
                 units.format_count(1048576), units.format_percent(0.5)):  # fmt: skip
        assert " " not in text
        assert NARROW_SPACE in text


def test_nothing_that_is_not_zero_prints_as_zero_and_three_digits_are_right():
    draw = random.Random(3)
    scale = {"p": 1e-12, "n": 1e-9, "µ": 1e-6, "m": 1e-3, "": 1.0}
    for _ in range(5000):
        seconds = 10 ** draw.uniform(-15, 3)
        text = units.format_time(seconds)
        number, prefix = re.fullmatch(rf"([\d.]+){NARROW_SPACE}([pnµm]?)s", text).groups()
        assert float(number) != 0
        assert math.isclose(float(number) * scale[prefix], seconds, rel_tol=0.0051)
        assert len(number.replace(".", "").lstrip("0")) == 3


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_what_is_no_number_is_refused(bad):
    for form in (units.format_time, units.format_count, units.format_bytes, units.format_ratio):
        with pytest.raises(ValueError):
            form(bad)


def test_unknown_units_are_refused():
    with pytest.raises(ValueError, match="furlong"):
        units.format_unit(1, "furlong")
