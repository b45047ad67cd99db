"""Charts of chapter 4."""

from __future__ import annotations

from figures.style import Cell, Figure, bar_ladder, bars, heat_map, line_chart, lines

ADD = "04-optimization/matrix_add"
LARGE = 1 << 28
HOT = "cache:hot/launch:stream"
SIDES = [1 << power for power in range(11)]


# The addition ------------------------------------------------------------------------------------


def add_key(step: str, variant: str = "", n: int | str = LARGE) -> str:
    """Name of the row of a step of the addition."""
    return f"{ADD}/{step}/n:{n}/{HOT}" + (f"/{variant}" if variant else "")


def block_shapes(results) -> Figure:
    """Bandwidth of the plain addition for each of the 66 shapes of a block."""
    cells = []
    for y in SIDES:
        for x in SIDES:
            if x * y <= 1024:
                row = results.row(add_key("one_element_a_thread", f"block:{x}x{y}"))
                value = row.value("bytes_per_second")
                cells.append(Cell(f"{x:,}", f"{y:,}", value, f"{value.value / 1e12:.2f}"))
    return heat_map(
        cells,
        column_title="x, threads along the columns",
        row_title="y",
        title="Bandwidth of the addition in TB/s, by the shape of a block",
        caption="Darker is faster. A diagonal from the lower left to the upper right has one number "
        "of threads.",
    )


def old_shapes(results) -> Figure:
    """The three shapes of the older text, then and now."""
    shapes = ["32x32", "32x16", "16x16"]
    old = f"tesla-m2070:{ADD}/one_element_a_thread/n:{LARGE}/block:"
    return bar_ladder(
        bars(
            results,
            [
                (
                    shape.replace("x", " × "),
                    add_key("one_element_a_thread", f"block:{shape}"),
                    f"{old}{shape}",
                )
                for shape in shapes
            ],
        ),
        title="Three shapes, then and now",
        caption="Shorter is better. The older times come in ticks of a hundredth of a second.",
        log=True,
    )


def matrix_add_ladder(results) -> Figure:
    """The addition from the first shape to the last step, and its rivals."""
    return bar_ladder(
        bars(
            results,
            [
                ("1 × 256", add_key("one_element_a_thread", "block:1x256")),
                ("32 × 32", add_key("one_element_a_thread", "block:32x32")),
                ("256 × 1", add_key("one_element_a_thread", "block:256x1")),
                ("blocks that stay", add_key("resident_grid", "threads:256")),
                ("4 elements", add_key("several_a_thread", "elements:4")),
                ("a float4", add_key("float4_a_thread", "threads:256")),
                ("4 float4", add_key("several_float4_a_thread", "vectors:4")),
                ("bulk copies", add_key("bulk_copy", "threads:256/tile:1024")),
                ("device's copy", add_key("memcpy")),
                ("DeviceTransform", add_key("cub_transform")),
            ],
            "bytes_per_second",
        ),
        title="Addition of 2²⁸ floats",
        caption="Longer is better: all bytes that a step has to move, over its time.",
    )


def addition_over_size(results) -> Figure:
    """Bandwidth over the size of a matrix."""
    return line_chart(
        lines(
            results,
            [
                ("256 × 1", add_key("one_element_a_thread", "block:256x1", "*")),
                ("a float4", add_key("float4_a_thread", "threads:256", "*")),
                ("bulk copies", add_key("bulk_copy", "threads:256/tile:1024", "*")),
                ("device's copy", add_key("memcpy", n="*")),
                ("DeviceTransform", add_key("cub_transform", n="*")),
            ],
            "bytes_per_second",
        ),
        x_title="elements",
        title="Bandwidth over size",
        caption="Hot cache: small matrices are found in L2.",
        log_x=True,
        log_y=True,
    )
