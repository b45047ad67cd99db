"""Charts of chapter 4."""

from __future__ import annotations

from figures.shapes import map_of_shapes
from figures.style import Cell, Figure, Line, bar_ladder, bars, heat_map, line_chart, lines
from tools import units

ADD = "04-optimization/matrix_add"
LARGE = 1 << 28
HOT = "cache:hot/launch:stream"


# The addition ------------------------------------------------------------------------------------


def add_key(step: str, variant: str = "", n: int | str = LARGE) -> str:
    """Name of the row of a step of the addition."""
    return f"{ADD}/{step}/n:{n}/{HOT}" + (f"/{variant}" if variant else "")


def block_shapes(results) -> Figure:
    """Bandwidth of the plain addition for each of the 66 shapes of a block."""
    return map_of_shapes(
        results,
        lambda shape: add_key("one_element_a_thread", f"block:{shape}"),
        "Stronger colour is faster. Along a diagonal from lower left to upper right, "
        "blocks have equally many threads.",
    )


def blocks_started(results) -> Figure:
    """Time of the plain addition over the number of blocks, for flat and for upright blocks."""

    def blocks(row) -> float:
        x, y = row.key.parts["block"].split("x")
        return LARGE / (int(x) * int(y))

    return line_chart(
        lines(
            results,
            [
                ("1 × y", add_key("one_element_a_thread", "block:1x*")),
                ("x × 1", add_key("one_element_a_thread", "block:*x1")),
            ],
            x_of=blocks,
        ),
        x_title="blocks",
        title="Time over the number of blocks",
        caption="On the straight part of the lower line, blocks cost the same whatever their size.",
        log_x=True,
        log_y=True,
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
                ("bulk copies", add_key("bulk_copy", "threads:256/tile:768")),
                ("device's copy", add_key("memcpy")),
                ("DeviceTransform", add_key("cub_transform")),
            ],
            "bytes_per_second",
        ),
        title="Addition of 2²⁸ floats",
        caption="Longer is better: all bytes that a step has to move, over its time.",
    )


def addition_ratio(results) -> Figure:
    """How many times faster than the library the last step is, over the size of a matrix."""
    ways = [
        ("hot, stream", "cache:hot/launch:stream"),
        ("cold, stream", "cache:cold/launch:stream"),
        ("hot, graph", "cache:hot/launch:graph"),
        ("cold, graph", "cache:cold/launch:graph"),
    ]
    return line_chart(
        lines(
            results,
            [(label, f"{ADD}/by_size/n:*/{way}") for label, way in ways],
            field_name="ratio_to_cub_transform",
        ),
        x_title="elements",
        title="By size, against DeviceTransform",
        caption="Above 1 ours is faster.",
        log_x=True,
    )


def addition_over_size(results) -> Figure:
    """Bandwidth over the size of a matrix."""
    return line_chart(
        lines(
            results,
            [
                ("256 × 1", add_key("one_element_a_thread", "block:256x1", "*")),
                ("a float4", add_key("float4_a_thread", "threads:256", "*")),
                ("by size", add_key("by_size", n="*")),
                ("device's copy", add_key("memcpy", n="*")),
                ("DeviceTransform", add_key("cub_transform", n="*")),
            ],
            field_name="bytes_per_second",
        ),
        x_title="elements",
        title="Bandwidth over size",
        caption="Hot cache: small matrices are found in L2.",
        log_x=True,
        log_y=True,
    )


# The sum on one block ----------------------------------------------------------------------------

SUM = "04-optimization/sum_of_squares_i32"
SUM_SIZE = 1 << 20


def sum_key(step: str, variant: str) -> str:
    """Name of the row of a step of one block, hot."""
    return f"{SUM}/{step}/n:{SUM_SIZE}/{HOT}/{variant}"


def one_block_ladder(results) -> Figure:
    """From one thread to the best block, with the older text's three rungs."""
    family = "sum_of_squares_i32"
    old = f"geforce-g-103m:{SUM}"
    return bar_ladder(
        bars(
            results,
            [
                (
                    "one thread",
                    f"03-first-gpu-program/{family}/one_thread/n:{SUM_SIZE}/{HOT}",
                    f"geforce-g-103m:03-first-gpu-program/{family}/one_thread/n:{SUM_SIZE}",
                ),
                (
                    "512, slices",
                    sum_key("contiguous", "threads:512"),
                    f"{old}/contiguous/n:{SUM_SIZE}",
                ),
                (
                    "512, strided",
                    sum_key("strided", "threads:512"),
                    f"{old}/strided/n:{SUM_SIZE}",
                ),
                (
                    "512, 4 in flight",
                    sum_key("strided_unrolled", "threads:512/unroll:4"),
                ),
                (
                    "512, 16 in flight",
                    sum_key("strided_unrolled", "threads:512/unroll:16"),
                ),
                (
                    "1024, 16 in flight",
                    sum_key("strided_unrolled", "threads:1024/unroll:16"),
                ),
            ],
        ),
        title="2²⁰ squares on one block",
        caption="Shorter is better; the scale is logarithmic.",
        log=True,
    )


def threads_and_loads(results) -> Figure:
    """Bandwidth of one block by its threads and the loads in flight of each."""
    cells = []
    for threads in (32, 64, 128, 256, 512, 1024):
        for loads in (1, 2, 4, 8, 16):
            row = results.row(sum_key("strided_unrolled", f"threads:{threads}/unroll:{loads}"))
            cells.append(Cell(f"{loads}", f"{threads:,}", row.value("bytes_per_second")))
    return heat_map(
        cells,
        column_title="loads in flight of a thread",
        row_title="threads",
        title="Bandwidth of one block",
        caption="Stronger colour is faster. Along a diagonal from lower left to upper right, "
        "the bytes in flight are the same.",
    )


# Memory over its footprint -----------------------------------------------------------------------


def footprint(row) -> int:
    """Bytes that a row's kernel goes through."""
    return 4 * row.key.n


def latency_over_footprint(results) -> Figure:
    """Time of one load of the pointer chase over its footprint."""
    pattern = f"04-optimization/pointer_chase/pointer_chase/n:*/{HOT}/loads:*"
    made = []
    for device in [None, *results.readers()]:
        rows = results.rows(pattern) if device is None else results.rows(pattern, device)
        if not rows and device is None:
            results.row(pattern)  # says what is missing
        points = sorted(
            (
                (
                    footprint(row),
                    results.evaluate(f"{row.name} / {row.key.parts['loads']}", row.device),
                )
                for row in rows
            ),
            key=lambda point: point[0],
        )
        if points:
            made.append(
                Line("a load" if device is None else "yours", points, yours=device is not None)
            )
    return line_chart(
        made,
        x_title="footprint",
        x_unit="B",
        axis_title="time of a load",
        title="Latency over footprint",
        caption="One thread follows a chain in random order. The first visit of each place is in "
        "the time, too.",
        log_x=True,
        log_y=True,
    )


def bandwidth_over_footprint(results) -> Figure:
    """Bandwidth of reading round and round, of one SM and of the device."""
    pattern = f"04-optimization/read_footprint/read_footprint/n:*/{HOT}/blocks:"
    return line_chart(
        lines(
            results,
            [("whole device", f"{pattern}device"), ("one SM", f"{pattern}one")],
            x_of=footprint,
            field_name="bytes_per_second",
        ),
        x_title="footprint",
        x_unit="B",
        title="Bandwidth over footprint",
        caption="Reads of 16 bytes, eight in flight for each thread.",
        log_x=True,
        log_y=True,
    )


# Copies ------------------------------------------------------------------------------------------


def copies(results, direction: str, steps: list[tuple[str, str]], title: str) -> Figure:
    """Bandwidth of copies in one direction over their size."""
    return line_chart(
        lines(
            results,
            [
                (label, f"04-optimization/copy/{step}/n:*/direction:{direction}")
                for label, step in steps
            ],
            field_name="bytes_per_second",
        ),
        x_title="bytes copied",
        x_unit="B",
        title=title,
        caption="By the host's clock, from the call until the data are there.",
        log_x=True,
        log_y=True,
    )


KINDS = [("pinned", "pinned"), ("write-combined", "write_combined"), ("pageable", "pageable")]


def copies_to_device(results) -> Figure:
    """Host to device, by the kind of host memory, and through the staging ring."""
    return copies(
        results, "h2d", [*KINDS, ("staging ring", "staging_ring")], "From the host to the device"
    )


def copies_to_host(results) -> Figure:
    """Device to host, by the kind of host memory, and through the staging ring."""
    return copies(
        results, "d2h", [*KINDS, ("staging ring", "staging_ring")], "From the device to the host"
    )


def copies_both_ways(results) -> Figure:
    """Both ways at once: bytes of both directions together."""
    return copies(results, "both", KINDS, "Both ways at once, in all")


def ring_map(results) -> Figure:
    """Bandwidth of staging rings by threads and size of chunk, host to device."""
    cells = []
    for threads in (1, 2, 4, 8, 16):
        for chunk in (1 << 18, 1 << 20, 1 << 21, 1 << 22):
            row = results.row(
                f"04-optimization/copy/staging_ring_map/n:{1 << 28}/direction:h2d"
                f"/threads:{threads}/chunk:{chunk}/chunks:2/streams:1"
            )
            cells.append(
                Cell(units.format_bytes(chunk), f"{threads}", row.value("bytes_per_second"))
            )
    return heat_map(
        cells,
        column_title="chunk",
        row_title="threads",
        title="Staging ring, 256 MiB from the host to the device",
        caption="Darker is faster. Each thread has two chunks, and all share one stream.",
    )
