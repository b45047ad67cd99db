"""Plots of an experiment as SVG; none where the course's Python packages are not installed."""

from __future__ import annotations

import re
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

from tools import units
from tools.labs.report import measured
from tools.labs.report.blocks import Picture
from tools.results import Device, Results, Value

MOST_LINES = 8
WIDE = 30  # from this factor between the ends on an axis is logarithmic
CPU_DEVICE = Device("cpu-device", "cpu-device", "reader", "CPU device", {}, Path())

Point = tuple[str, float | None, Value]  # the line's label, x (None: no number), y


def available() -> bool:
    return find_spec("altair") is not None and find_spec("vl_convert") is not None


def times(store: Results, experiment: dict, device: Device, caption: str) -> Picture | None:
    """Time over what is varied."""
    points = []
    for row in measured.rows_of(store, experiment, device):
        if row.seconds is None:
            continue
        x, name = place(experiment, row.key.n, row.key.step, row.key.parts)
        points.append((name, x, row.value("real_time")))
    return drawn(points, experiment, caption)


def counts(rows: Iterable[dict], experiment: dict, caption: str) -> Picture | None:
    """Sectors of global memory over what is varied, as the CPU device counts them."""
    points = []
    for row in rows:
        counted = row.get("counts", {})
        sectors = counted.get("load_sectors", 0) + counted.get("store_sectors", 0)
        if not sectors:
            continue
        parts = dict(part.split(":", 1) for part in row["variant"].split("/") if ":" in part)
        x, name = place(experiment, row["n"], row["step"], parts)
        text = units.format_count(sectors)
        y = Value(sectors, "1", text, CPU_DEVICE, row["key"], "sectors", {"device": "CPU device"})
        points.append((name, x, y))
    return drawn(points, experiment, caption, "sectors of 32 bytes")


def place(experiment: dict, n: int, step: str, parts: dict[str, str]) -> tuple[float | None, str]:
    """x of a row, and the name of its line."""
    varied = experiment.get("x", "n")
    x: float | None = n if varied == "n" else None
    names = [step.replace("_", " ")]
    for part, value in parts.items():
        if part in ("cache", "launch"):
            continue
        if part == varied and re.fullmatch(r"\d+(\.\d+)?", value):
            x = float(value)
        else:
            names.append(f"{part} {value}")
    return x, ", ".join(names)


def drawn(
    points: list[Point], experiment: dict, caption: str, y_title: str | None = None
) -> Picture | None:
    if not points or not available():
        return None
    from figures import style

    lines: dict[str, list[tuple[float, Value]]] = {}
    for name, x, y in points:
        if x is not None:
            lines.setdefault(name, []).append((x, y))
    few = max(map(len, lines.values()), default=0) < 2
    if few or len(lines) > MOST_LINES:
        bars = [style.Bar(bar_label(name, x), y) for name, x, y in points]
        log = spread(y.value for _, _, y in points)
        figure = style.bar_ladder(bars, caption=caption, log=log, axis_title=y_title)
    else:
        figure = style.line_chart(
            [style.Line(name, sorted(line, key=lambda p: p[0])) for name, line in lines.items()],
            x_title=experiment.get("x", "n"),
            caption=caption,
            log_x=spread(x for _, x, _ in points if x is not None),
            log_y=spread(y.value for _, _, y in points),
            axis_title=y_title,
        )
    return Picture(inline(style.render_svg(figure)), caption)


def bar_label(name: str, x: float | None) -> str:
    return name if x is None else f"{name}, {units.format_count(x)}"


def spread(values: Iterable[float]) -> bool:
    """Whether numbers lie so far apart that their axis should be logarithmic."""
    known = [value for value in values if value > 0]
    return bool(known) and max(known) > WIDE * min(known)


def inline(svg: str) -> str:
    """Without its namespace, which HTML knows by itself."""
    return re.sub(r'\sxmlns(:\w+)?="[^"]*"', "", svg)
