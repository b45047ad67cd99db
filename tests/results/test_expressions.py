"""The grammar of claims and ratios, and its units."""

from __future__ import annotations

import pytest

from tools.expressions import ExpressionError, Quantity, evaluate, references

A = "03-first/sum_i32/one-thread_1/n:1/cache:hot".replace("one-thread_1", "one_thread")
B = "04-next/sum_i32/strided/n:1/cache:hot/launch:stream/block:32x16"
KNOWN = {
    A: Quantity.of(0.010, "s"),
    B: Quantity.of(0.001, "s"),
    f"{A}#bytes_per_second": Quantity.of(4e9, "B/s"),
    f"{A}#bytes": Quantity.of(4e7, "B"),
    f"geforce-g-103m:{A}": Quantity.of(0.5, "s"),
    "device:memory_bandwidth_peak": Quantity.of(8e9, "B/s"),
    "count:04-next/strided#sectors": Quantity.of(4, "1"),
}


def holds(text: str):
    return evaluate(text, KNOWN.__getitem__).holds


def value(text: str) -> Quantity:
    return evaluate(text, KNOWN.__getitem__).value


@pytest.mark.parametrize(
    ("text", "truth"),
    [
        (f"{A} > {B}", True),
        (f"{A} > 10 * {B}", False),
        (f"{A} >= 10 * {B}", True),
        (f"<{A}> > 2 * ( <{B}> + <{B}> )", True),
        (f"2 * ({B} + {B}) < {A}", True),
        (f"1 < {A} / {B} < 11", True),
        (f"1 < {A} / {B} < 9", False),
        (f"{A} > {B} and {B} > {A}", False),
        (f"{A} > 9ms and {A} < 11000us", True),
        (f"{A}#bytes_per_second > 3.9GB/s", True),
        (f"{A}#bytes_per_second / device:memory_bandwidth_peak == 0.5", True),
        (f"{A}#bytes / {A} == {A}#bytes_per_second", True),
        (f"geforce-g-103m:{A} > 40 * {A}", True),
        ("count:04-next/strided#sectors != 32", True),
        (f"- {A} < 0", True),
        (f"{A} - {B} > 8ms", True),
        ("1 + 2 * 3 == 7", True),
        ("8 / 2 / 2 == 2", True),
        ("5 - 2 - 1 == 2", True),
    ],
)
def test_claims(text, truth):
    assert holds(text) is truth


def test_values_keep_their_units():
    assert str(value(f"{A} / {B}")) == "10.0×"
    assert str(value(f"2 * {A}")).replace("\u202f", " ") == "20.0 ms"
    assert str(value(f"{A}#bytes / {A}")).replace("\u202f", " ") == "4.00 GB/s"
    assert value(f"{A} * {A}").unit is None


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "empty"),
        (f"{A} >", "too early"),
        (f"{A}>{B}", "space on both sides"),
        (f"2*{B} > 1", "space on both sides"),
        (f"( {A} > 1", "bracket"),
        (f"{A} {B}", "not expected"),
        (f"{A} > {A}#bytes_per_second", "makes no sense"),
        (f"{A} + {A}#bytes", "makes no sense"),
        (f"{A} > 2", "makes no sense"),
        (f"{A} / ( {B} - {B} )", "divided by zero"),
        ("__import__('os') > 1", "neither"),
        (f"{A} and {B}", "joins comparisons"),
        ("5parsec > 1", "neither"),
    ],
)
def test_bad_expressions_say_why(text, why):
    with pytest.raises(ExpressionError, match=why):
        evaluate(text, KNOWN.__getitem__)


def test_references_in_order_each_once():
    text = f"<{A}> > 2 * ({B} + {B}) and device:memory_bandwidth_peak > 4TB/s"
    assert references(text) == [A, B, "device:memory_bandwidth_peak"]
