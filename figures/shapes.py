"""A chart that two chapters draw: the rate of an addition for each of the 66 shapes of a block."""

from __future__ import annotations

from collections.abc import Callable

from figures.style import Cell, Figure, heat_map

SIDES = [1 << power for power in range(11)]
MOST_THREADS = 1024


def map_of_shapes(results, key_of: Callable[[str], str], caption: str) -> Figure:
    """`key_of` gives a row's name for a shape such as "32x8"."""
    cells = []
    for y in SIDES:
        for x in SIDES:
            if x * y <= MOST_THREADS:
                value = results.row(key_of(f"{x}x{y}")).value("bytes_per_second")
                cells.append(Cell(f"{x:,}", f"{y:,}", value, f"{value.value / 1e12:.2f}"))
    return heat_map(
        cells,
        column_title="x, threads along the columns",
        row_title="y",
        title="Addition in TB/s, by the shape of a block",
        caption=caption,
    )
