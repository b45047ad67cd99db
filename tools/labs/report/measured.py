"""Tables of an experiment: the reader's times, the reference device's, the CPU device's counts."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tools import units
from tools.labs.report.blocks import Table
from tools.results import Device, MissingKey, Results, Row

HEADINGS = {
    "time": "Time",
    "interval": "95 % interval",
    "bandwidth": "Bandwidth",
    "flops": "Rate",
    "bytes_per_second": "Bandwidth",
    "flops_per_second": "Rate",
    "error": "Largest error",
    "share_of_peak": "Share of peak bandwidth",
    "share_of_flops_peak": "Efficiency (share of peak rate)",
}
FIELDS = {"time": "real_time", "bandwidth": "bytes_per_second", "flops": "flops_per_second"}
DEFAULT_COLUMNS = ["time", "interval"]
ABSENT = "–"
COUNTS = {
    "load_requests": "Load requests",
    "load_sectors": "Load sectors",
    "store_requests": "Store requests",
    "store_sectors": "Store sectors",
    "shared_conflicts": "Bank conflicts",
}


def rows_of(store: Results, experiment: dict, device: Device | str) -> list[Row]:
    wanted = re.compile(experiment["rows"])
    return [store.row(key, device) for key in store.keys(device) if wanted.search(key)]


def label(row: Row) -> str:
    """The step and its settings."""
    settings = [f"{k} {v}" for k, v in row.key.parts.items() if k not in ("cache", "launch")]
    return ", ".join([row.key.step.replace("_", " "), *settings])


def columns(experiment: dict) -> list[str]:
    return [name for name in experiment.get("columns", DEFAULT_COLUMNS) if name != "n"]


def heading(column: str) -> str:
    if column == "speed_up":
        return "Speed-up over the CPU"
    if match := re.fullmatch(r"ratio(?::|_to_)(.+)", column):
        return f"Speed-up over {match[1].replace('_', ' ')}"
    return HEADINGS.get(column, column.replace("_", " ").capitalize())


def cell(store: Results, row: Row, column: str) -> str:
    try:
        if column == "interval":
            return row.interval_text() or ABSENT
        if column == "speed_up":
            return speed_up(store, row, baseline(store, row))
        if column.startswith("ratio:"):
            return speed_up(store, row, column.removeprefix("ratio:"))
        return row.value(FIELDS.get(column, column)).text
    except MissingKey:
        return ABSENT


def speed_up(store: Results, row: Row, over: str) -> str:
    """How many times faster than the step `over` of the same family, size and device."""
    for key in store.keys(row.device):
        other = store.row(key, row.device)
        same = (other.key.family, other.key.n) == (row.key.family, row.key.n)
        if same and other.key.step == over and other.seconds and row.seconds:
            return units.format_ratio(other.seconds / row.seconds)
    return ABSENT


def baseline(store: Results, row: Row) -> str:
    """The step of the CPU that stands first in the results of the row's family."""
    for key in store.keys(row.device):
        other = store.row(key, row.device)
        if other.record.get("kind") == "baseline" and other.key.family == row.key.family:
            return other.key.step
    return ""


def times(store: Results, experiment: dict, device: Device, caption: str) -> Table | None:
    """What a device measured; None where it has none of the rows."""
    rows = rows_of(store, experiment, device)
    if not rows:
        return None
    cells = {name: [cell(store, row, name) for row in rows] for name in columns(experiment)}
    names = [name for name, texts in cells.items() if set(texts) != {ABSENT}]
    return Table(
        ["Row", "n", *(heading(name) for name in names)],
        [
            [label(row), units.format_count(row.key.n), *(cells[name][i] for name in names)]
            for i, row in enumerate(rows)
        ],
        caption,
        frozenset(range(1, len(names) + 2)),
    )


def counted(rows: Sequence[dict], caption: str) -> Table:
    """What the CPU device gave."""
    shown = [name for name in COUNTS if any(row.get("counts", {}).get(name) for row in rows)]
    return Table(
        ["Row", "n", "Check", "Largest error", *(COUNTS[name] for name in shown), "Time"],
        [
            [
                name_of(row),
                units.format_count(row["n"]),
                check_of(row),
                ABSENT if row.get("error") is None else units.format_error(row["error"]),
                *(count_text(row, name) for name in shown),
                "no GPU here",
            ]
            for row in rows
        ],
        caption,
        frozenset({1, *range(3, 4 + len(shown))}),
    )


def count_text(row: dict, name: str) -> str:
    """The host's rows count nothing."""
    counts = row.get("counts")
    return units.format_count(counts.get(name, 0)) if counts else ABSENT


def name_of(row: dict) -> str:
    words = row["step"].replace("_", " ")
    return f"{words}, {row['variant'].replace(':', ' ')}" if row["variant"] else words


def check_of(row: dict) -> str:
    if "left_out" in row:
        return f"left out: {row['left_out']}"
    return "right" if row["verified"] else f"wrong: {row['message']}"
