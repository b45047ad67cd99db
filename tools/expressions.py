"""Expressions over results, for sentences that rest on data.

    03-first-gpu-program/…/one_thread/n:1048576 > 10 * 04-optimization/…/contiguous/n:1048576

Grammar (words are separated by spaces, because names contain `/`, `:`, `-` and `+`; brackets may
touch a word):

    claim      = comparison { "and" comparison }
    comparison = sum { ( "<" | "<=" | ">" | ">=" | "==" | "!=" ) sum }      chains as in 1 < a < 2
    sum        = product { ( "+" | "-" ) product }
    product    = factor { ( "*" | "/" ) factor }
    factor     = [ "-" ] ( number | reference | "(" sum ")" )
    number     = 2, 0.5, 1e-3, a unit directly behind it if wanted: 5us, 1.5ms, 4TB/s, 1.98GHz
    reference  = [ DEVICE: ] KEY [ #FIELD ]          a result; its time where no field is named
               | DEVICE:FACT                         a fact of device.json; DEVICE may be `device`
               | [ DEVICE: ] count:KEY#FIELD         a count; KEY may be short: slug/step
    A reference may stand between angle brackets: <KEY>.

Units take part: adding or comparing a time and a bandwidth is an error, and a time divided by a
time is a ratio. Nothing is handed to Python's eval. Standard library only.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable
from dataclasses import dataclass

from tools import units

# Exponents of second, byte, floating-point operation and watt.
_DIMENSIONS = {
    "s": (1, 0, 0, 0), "B/s": (-1, 1, 0, 0), "FLOP/s": (-1, 0, 1, 0), "Hz": (-1, 0, 0, 0),
    "B": (0, 1, 0, 0), "FLOP": (0, 0, 1, 0), "W": (0, 0, 0, 1),
    "1": (0, 0, 0, 0), "x": (0, 0, 0, 0), "%": (0, 0, 0, 0), "error": (0, 0, 0, 0),
    "bit": (0, 0, 0, 0),
}  # fmt: skip
_PREFIXES = {"": 1.0, "n": 1e-9, "u": 1e-6, "\u00b5": 1e-6, "m": 1e-3, "k": 1e3, "M": 1e6,
             "G": 1e9, "T": 1e12}  # fmt: skip
_NUMBER = re.compile(
    r"(\d+(?:\.\d*)?(?:[eE][-+]?\d+)?)(?:([numkMGT\u00b5]?)(s|B/s|FLOP/s|Hz|W|B))?"
)
_REFERENCE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.+-]*[:/][A-Za-z0-9_./:+#-]*")
_COMPARISONS: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "==": operator.eq, "!=": operator.ne,
}  # fmt: skip


class ExpressionError(ValueError):
    """An expression that cannot be read or whose units do not fit; the message is a sentence."""


@dataclass(frozen=True)
class Quantity:
    """A number with its unit: one of `units.FORMATS`, or None where no unit is known for it."""

    value: float
    dimension: tuple[int, int, int, int] = (0, 0, 0, 0)
    unit: str | None = "x"

    @classmethod
    def of(cls, value: float, unit: str) -> Quantity:
        """A number in one of the known units."""
        return cls(float(value), _DIMENSIONS[unit], unit)

    def _combined(self, value: float, dimension: tuple[int, ...]) -> Quantity:
        for unit in ("x", "s", "B/s", "FLOP/s", "B", "FLOP", "W"):
            if _DIMENSIONS[unit] == dimension:
                return Quantity(value, _DIMENSIONS[unit], unit)
        return Quantity(value, dimension, None)  # type: ignore[arg-type]

    def _same(self, other: Quantity, doing: str) -> None:
        if self.dimension != other.dimension and 0 not in (self.value, other.value):
            raise ExpressionError(f"{doing} {self} and {other} makes no sense")

    def __add__(self, other: Quantity) -> Quantity:
        self._same(other, "adding")
        return Quantity(self.value + other.value, self.dimension, self.unit)

    def __sub__(self, other: Quantity) -> Quantity:
        self._same(other, "subtracting")
        return Quantity(self.value - other.value, self.dimension, self.unit)

    def __mul__(self, other: Quantity) -> Quantity:
        if not any(other.dimension) or not any(self.dimension):
            named = self if any(self.dimension) else other
            return Quantity(self.value * other.value, named.dimension, named.unit)
        dimension = tuple(a + b for a, b in zip(self.dimension, other.dimension, strict=True))
        return self._combined(self.value * other.value, dimension)

    def __truediv__(self, other: Quantity) -> Quantity:
        if other.value == 0:
            raise ExpressionError(f"{self} is divided by zero")
        if any(self.dimension) and not any(other.dimension):
            return Quantity(self.value / other.value, self.dimension, self.unit)
        dimension = tuple(a - b for a, b in zip(self.dimension, other.dimension, strict=True))
        return self._combined(self.value / other.value, dimension)

    def __str__(self) -> str:
        if self.unit is None or self.unit not in units.FORMATS:
            return units.format_number(self.value)
        return units.format_unit(self.value, self.unit)


Resolver = Callable[[str], Quantity]


@dataclass(frozen=True)
class Outcome:
    """What an expression comes to: `value`, or for comparisons whether they hold."""

    value: Quantity | None
    holds: bool | None


def _words(text: str) -> list[str]:
    words: list[str] = []
    for chunk in text.split():
        opened = len(chunk) - len(chunk.lstrip("("))
        rest = chunk[opened:]
        core = rest.rstrip(")")
        words += ["("] * opened + ([core] if core else []) + [")"] * (len(rest) - len(core))
    return words


class _Parser:
    def __init__(self, text: str, resolve: Resolver):
        self.text, self.words, self.at, self.resolve = text, _words(text), 0, resolve
        if not self.words:
            raise ExpressionError("the expression is empty")

    def peek(self) -> str | None:
        return self.words[self.at] if self.at < len(self.words) else None

    def take(self) -> str:
        word = self.peek()
        if word is None:
            raise ExpressionError(f"{self.text!r} ends too early")
        self.at += 1
        return word

    def claim(self) -> Outcome:
        outcome = self.comparison()
        while self.peek() == "and":
            self.take()
            right = self.comparison()
            if outcome.holds is None or right.holds is None:
                raise ExpressionError(f"{self.text!r}: 'and' joins comparisons only")
            outcome = Outcome(None, outcome.holds and right.holds)
        if self.peek() is not None:
            raise ExpressionError(f"{self.text!r}: {self.peek()!r} was not expected")
        return outcome

    def comparison(self) -> Outcome:
        left = self.sum()
        holds: bool | None = None
        while self.peek() in _COMPARISONS:
            sign = self.take()
            right = self.sum()
            left._same(right, "comparing")
            this = _COMPARISONS[sign](left.value, right.value)
            holds = this if holds is None else holds and this
            left = right
        return Outcome(left if holds is None else None, holds)

    def sum(self) -> Quantity:
        value = self.product()
        while self.peek() in ("+", "-"):
            value = value + self.product() if self.take() == "+" else value - self.product()
        return value

    def product(self) -> Quantity:
        value = self.factor()
        while self.peek() in ("*", "/"):
            value = value * self.factor() if self.take() == "*" else value / self.factor()
        return value

    def factor(self) -> Quantity:
        word = self.take()
        if word == "-":
            return Quantity.of(-1, "x") * self.factor()
        if word == "(":
            value = self.sum()
            if self.take() != ")":
                raise ExpressionError(f"{self.text!r}: a closing bracket is missing")
            return value
        if match := _NUMBER.fullmatch(word):
            number, prefix, unit = match.groups()
            return Quantity.of(float(number) * _PREFIXES[prefix or ""], unit or "x")
        inner = word[1:-1] if word.startswith("<") and word.endswith(">") else word
        if not _REFERENCE.fullmatch(inner):
            raise ExpressionError(
                f"{self.text!r}: {word!r} is neither a number nor the name of a result; "
                "operators need a space on both sides"
            )
        return self.resolve(inner)


def evaluate(text: str, resolve: Resolver) -> Outcome:
    """Works out an expression; `resolve` gives the quantity behind a reference."""
    outcome = _Parser(text, resolve).claim()
    if outcome.value is not None and not math.isfinite(outcome.value.value):
        raise ExpressionError(f"{text!r} has no finite value")
    return outcome


def references(text: str) -> list[str]:
    """The references in an expression, in order, each once."""
    names = [word.removeprefix("<").removesuffix(">") for word in _words(text)]
    return list(
        dict.fromkeys(
            name for name in names if _REFERENCE.fullmatch(name) and not _NUMBER.fullmatch(name)
        )
    )
