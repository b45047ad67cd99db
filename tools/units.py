"""Numbers as the course prints them: three significant digits, SI prefixes, no-break spaces.

A narrow no-break space stands between value and unit and between groups of digits, so that no
number is ever broken over two lines. A value that is not zero never prints as zero: the prefix
follows the value, and past the smallest prefix the digits go on. Standard library only.
"""

from __future__ import annotations

import math
from decimal import Decimal

NARROW_SPACE = "\u202f"  # NARROW NO-BREAK SPACE
TIMES_SIGN = "\u00d7"
MINUS_SIGN = "\u2212"

_SI = {-12: "p", -9: "n", -6: "\u00b5", -3: "m", 0: "", 3: "k", 6: "M", 9: "G", 12: "T", 15: "P"}
_IEC = ("B", "KiB", "MiB", "GiB", "TiB", "PiB")


def _finite(value: float) -> float:
    value = float(value)
    if not math.isfinite(value):
        raise ValueError(f"{value} cannot be printed as a measurement")
    return value


def _group(digits: str) -> str:
    """Groups the integer part in threes from five digits on (1024, but 65 536)."""
    whole, point, fraction = digits.partition(".")
    if len(whole) > 4:
        head = len(whole) % 3 or 3
        groups = [whole[:head]] + [whole[i : i + 3] for i in range(head, len(whole), 3)]
        whole = NARROW_SPACE.join(groups)
    return whole + point + fraction


def _rounded(value: float, digits: int) -> Decimal:
    """`value` as it is written in decimal, rounded to `digits` significant digits."""
    exact = Decimal(repr(value))
    return exact.quantize(Decimal((0, (1,), exact.adjusted() + 1 - digits)))


def _plain(value: Decimal, digits: int) -> str:
    """A rounded number without exponent: as many digits as it deserves, 4600 for 4.60e3."""
    decimals = max(digits - 1 - value.adjusted(), 0)
    return (MINUS_SIGN if value < 0 else "") + _group(f"{abs(value):.{decimals}f}")


def format_number(value: float, digits: int = 3) -> str:
    """`value` with `digits` significant digits, never in exponent form: 0.0123, 11.6, 4600."""
    value = _finite(value)
    return "0" if value == 0 else _plain(_rounded(value, digits), digits)


def format_si(
    value: float, unit: str, digits: int = 3, smallest: int = -12, largest: int = 15
) -> str:
    """`value` with an SI prefix chosen so that one to three digits stand before the point.

    The prefix follows the rounded value: 999.6 µs is 1.00 ms. `smallest` and `largest` bound it.
    """
    value = _finite(value)
    if value == 0:
        return f"0{NARROW_SPACE}{unit}"
    rounded = _rounded(value, digits)
    power = min(max(rounded.adjusted() // 3 * 3, smallest), largest)
    return f"{_plain(rounded.scaleb(-power), digits)}{NARROW_SPACE}{_SI[power]}{unit}"


def format_time(seconds: float, digits: int = 3) -> str:
    """A duration: 11.6 ms, 533 µs, 1.41 s. From 1000 s on it stays in seconds."""
    return format_si(seconds, "s", digits, largest=0)


def format_bandwidth(bytes_per_second: float, digits: int = 3) -> str:
    """A transfer rate in powers of ten: 4.60 TB/s."""
    return format_si(bytes_per_second, "B/s", digits, smallest=0)


def format_flops(flops_per_second: float, digits: int = 3) -> str:
    """A rate of floating-point operations: 51.1 TFLOP/s."""
    return format_si(flops_per_second, "FLOP/s", digits, smallest=0)


def format_frequency(hertz: float, digits: int = 3) -> str:
    """A clock: 1.98 GHz."""
    return format_si(hertz, "Hz", digits, smallest=0)


def format_power(watts: float, digits: int = 3) -> str:
    """Electric power: 674 W."""
    return format_si(watts, "W", digits, smallest=-3)


def format_ratio(ratio: float, digits: int = 3) -> str:
    """How many times: 24.1×."""
    return format_number(ratio, digits) + TIMES_SIGN


def format_percent(share: float, digits: int = 3) -> str:
    """A share of one in per cent: 0.956 is 95.6 %."""
    return f"{format_number(100 * _finite(share), digits)}{NARROW_SPACE}%"


def format_count(count: float) -> str:
    """An exact count with every digit: 1 048 576. A count that is no whole number keeps three."""
    count = _finite(count)
    if count != int(count):
        return format_number(count)
    return (MINUS_SIGN if count < 0 else "") + _group(str(abs(int(count))))


def format_bytes(count: float, digits: int = 3) -> str:
    """A size in memory in powers of two, exact where it is a whole number: 48 KiB, 139 GiB."""
    count = _finite(count)
    size, unit = abs(count), 0
    while size >= 1024 and unit < len(_IEC) - 1:
        size, unit = size / 1024, unit + 1
    if round(size) >= 1024 and unit < len(_IEC) - 1:
        size, unit = size / 1024, unit + 1
    text = format_count(size) if size == int(size) else format_number(size, digits + (size >= 1000))
    return f"{MINUS_SIGN if count < 0 else ''}{text}{NARROW_SPACE}{_IEC[unit]}"


def format_interval(low: float, high: float, digits: int = 3) -> str:
    """An interval of times, both ends in full: 11.5 ms to 11.7 ms.

    Ends that would print alike get up to two digits more, so that the interval shows its width.
    """
    for extra in range(3):
        ends = format_time(low, digits + extra), format_time(high, digits + extra)
        if ends[0] != ends[1]:
            break
    return f"{ends[0]} to {ends[1]}"


FORMATS = {
    "s": format_time,
    "B/s": format_bandwidth,
    "FLOP/s": format_flops,
    "Hz": format_frequency,
    "W": format_power,
    "x": format_ratio,
    "%": format_percent,
    "B": lambda value, digits=3: format_bytes(value, digits),
    "FLOP": lambda value, digits=3: format_si(value, "FLOP", digits, smallest=0),
    "1": lambda value, digits=3: format_count(value),
    "error": lambda value, digits=2: format_error(value, digits),
}


def format_error(relative: float, digits: int = 2) -> str:
    """A relative error, in powers of ten when small: 0, 0.0012, 3.1 × 10⁻⁷."""
    relative = _finite(relative)
    if relative == 0 or abs(relative) >= 1e-3:
        return format_number(relative, digits)
    mantissa, _, exponent = f"{relative:.{digits - 1}e}".partition("e")
    superscript = str(int(exponent)).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    space = NARROW_SPACE
    return f"{mantissa.replace('-', MINUS_SIGN)}{space}{TIMES_SIGN}{space}10{superscript}"


def format_unit(value: float, unit: str, digits: int | None = None) -> str:
    """`value` by the rules of `unit`, one of FORMATS' keys."""
    if unit not in FORMATS:
        raise ValueError(f"no format for unit {unit!r}; known: {', '.join(FORMATS)}")
    return FORMATS[unit](value) if digits is None else FORMATS[unit](value, digits)
