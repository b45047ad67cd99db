"""Figures that a chapter sets out to reach, and whether it did.

`chapters/<slug>/targets.toml` lists them:

    [[target]]
    what = "sum of squares, large arrays, against CUB"
    rows = "sum_of_squares_i32/by_size/n:*/cache:hot/launch:stream"   without the slug
    rival = "cub"                 the rows' ratio_to_cub; > 1: ours is faster
    sizes = [268435456, 1073741824]   optional: from … to
    take = "worst"                worst row (default), or geometric_mean of the rows
    must = 1.005
    aim = 1.015                   optional

The interval of a geometric mean is the one between the geometric means of the lower and of the
upper ends: wider than need be, never too narrow. Standard library only.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.results import REFERENCE, Device, MissingKey, Results, Row

TAKES = ("worst", "geometric_mean")
FIELDS = {"what", "rows", "rival", "sizes", "take", "must", "aim"}


class TargetError(ValueError):
    """A targets file that cannot be used; the message is a sentence."""


@dataclass(frozen=True)
class Target:
    """One figure to reach."""

    what: str
    rows: str
    rival: str
    take: str
    must: float
    aim: float | None = None
    least_n: int = 0
    most_n: int | None = None


@dataclass(frozen=True)
class Reached:
    """What was measured for a target."""

    target: Target
    ratio: float
    low: float | None
    high: float | None
    rows: tuple[str, ...]

    @property
    def must(self) -> bool:
        return self.ratio >= self.target.must

    @property
    def aim(self) -> bool:
        return self.target.aim is not None and self.ratio >= self.target.aim


def read(path: Path) -> list[Target]:
    """The targets of a file, in order. Raises TargetError naming the file and what is wrong."""
    slug = path.parent.name
    targets = []
    try:
        entries = tomllib.loads(path.read_text("utf-8")).get("target", [])
    except (OSError, ValueError) as error:
        raise TargetError(f"{path}: {error}") from error
    for entry in entries:
        name = entry.get("what", "a target without `what`")
        missing = {"what", "rows", "rival", "must"} - entry.keys()
        if missing or entry.keys() - FIELDS or entry.get("take", "worst") not in TAKES:
            wrong = sorted(missing | (entry.keys() - FIELDS)) or [f"take = {entry['take']}"]
            raise TargetError(f"{path}: {name}: missing or unknown: {', '.join(wrong)}")
        least, most = (entry.get("sizes") or [0, None])[:2]
        rows, take = f"{slug}/{entry['rows']}", entry.get("take", "worst")
        numbers = entry["must"], entry.get("aim"), least, most
        targets.append(Target(entry["what"], rows, entry["rival"], take, *numbers))
    return targets


def _geometric_mean(values: Sequence[float | None]) -> float | None:
    numbers = [value for value in values if value is not None]
    if len(numbers) < len(values):
        return None
    return math.exp(sum(map(math.log, numbers)) / len(numbers))


def measure(target: Target, store: Results, device: str | Device = REFERENCE) -> Reached:
    """What the results say of a target. Raises MissingKey when no row has the ratio."""
    name = f"ratio_to_{target.rival}"

    def fits(row: Row) -> bool:
        most = target.most_n if target.most_n is not None else row.key.n
        return target.least_n <= row.key.n <= most and row.number(name) is not None

    rows = [row for row in store.rows(target.rows, device) if fits(row)]
    if not rows:
        raise MissingKey("result", f"{target.rows}#{name}", str(device), [])
    if target.take == "worst":
        rows = [min(rows, key=lambda row: row.number(name) or 0)]
    ratio, low, high = (
        _geometric_mean([row.record.get(f"{name}{end}") for row in rows])
        for end in ("", "_low", "_high")
    )
    assert ratio is not None
    return Reached(target, ratio, low, high, tuple(row.name for row in rows))
