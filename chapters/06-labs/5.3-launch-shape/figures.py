"""Charts of lab 5.3."""

from __future__ import annotations

from figures.shapes import map_of_shapes
from figures.style import Figure

ROW = "06-labs/shape_map/add_in_blocks/n:67108864/cache:hot/launch:stream/block:"


def shape_map(results) -> Figure:
    """Bandwidth of the addition for each of the 66 shapes of a block."""
    return map_of_shapes(results, lambda shape: ROW + shape, "Stronger colour is faster.")
