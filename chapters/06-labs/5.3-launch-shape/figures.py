"""Charts of lab 5.3."""

from __future__ import annotations

from figures.style import Cell, Figure, heat_map

ROW = "06-labs/shape_map/add_in_blocks/n:67108864/cache:hot/launch:stream/block:{x}x{y}"
SIDES = [1 << power for power in range(11)]


def shape_map(results) -> Figure:
    """Bandwidth of the addition for each of the 66 shapes of a block."""
    cells = []
    for y in SIDES:
        for x in SIDES:
            if x * y <= 1024:
                value = results.row(ROW.format(x=x, y=y)).value("bytes_per_second")
                cells.append(Cell(f"{x:,}", f"{y:,}", value, f"{value.value / 1e12:.2f}"))
    return heat_map(
        cells,
        column_title="x, threads along the columns",
        row_title="y",
        title="Addition in TB/s, by the shape of a block",
        caption="Stronger colour is faster.",
    )
